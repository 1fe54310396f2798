/** What a part of the torture is: a seeded list of cases, each of which the product survives or not. */

/** One attack. */
export interface Case {
  /** Says what is done, and with the seed it says exactly that: `--only <name>` does it again. */
  readonly name: string;
  /** How many attacks it stands for: 1 unless given. */
  readonly count?: number;
  /** Works in a new, empty folder. Throws what is wrong. */
  run(folder: string): Promise<void>;
}

export interface Plan {
  readonly seed: number;
  /** `sample` is what `npm test` has time for. */
  readonly size: 'full' | 'sample';
  /** Of a soak. */
  readonly minutes: number;
  /** A folder for what all cases of the part share. */
  readonly folder: string;
}

export interface Part {
  readonly name: string;
  readonly about: string;
  /** How many cases are run beside each other: 2 unless given. */
  readonly beside?: number;
  cases(plan: Plan): Promise<readonly Case[]>;
}

/** What was wrong, in words for the one who has to mend it. */
export function demand(holds: boolean, otherwise: string | (() => string)): asserts holds {
  if (!holds) throw new Error(typeof otherwise === 'string' ? otherwise : otherwise());
}
