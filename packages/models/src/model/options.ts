/** The options of models as plain data: an entry here is all that an option needs. */

/** What an option is. Command lines, forms, links and tables are made of it by the packages above. */
export type OptionDeclaration =
  | {
      /** 'integer' is a whole number, 'bytes' a size in memory. */
      readonly kind: 'integer' | 'number' | 'bytes';
      readonly least: number;
      readonly most?: number;
      readonly default: number;
      readonly about: string;
      /** It has to be less than d. */
      readonly isBelowD?: true;
      /** It has to divide d without a remainder. */
      readonly dividesD?: true;
    }
  | {
      readonly kind: 'choice';
      readonly choices: readonly string[];
      readonly default: string;
      readonly about: string;
    };

type NumberDeclaration = Exclude<OptionDeclaration, { readonly kind: 'choice' }>;

/** Whether a number that is right by itself suits the width of the states. */
export const suitsWidth = ({ isBelowD, dividesD }: NumberDeclaration, value: number, d: number): boolean =>
  !(isBelowD && value >= d) && !(dividesD && d % value !== 0);

/** Options by name. */
export type OptionDeclarations = Readonly<Record<string, OptionDeclaration>>;

/** The types of the values of options. */
export type OptionValues<Declarations> = {
  readonly [Name in keyof Declarations]: Declarations[Name] extends {
    readonly choices: readonly (infer Choice)[];
  }
    ? Choice
    : number;
};

/** Of every model. */
export const commonOptions = {
  d: { kind: 'integer', least: 1, default: 40, about: 'width of the states' },
  weightDecay: {
    kind: 'number',
    least: 0,
    default: 1e-5,
    about: 'λ: the loss has λ·½‖U‖² of the free node embeddings U',
  },
} as const satisfies OptionDeclarations;

/** Of regular networks. */
export const regularOptions = {
  attentionChannels: {
    kind: 'integer',
    least: 1,
    default: 8,
    isBelowD: true,
    about: 'channels that carry attention, of regular networks',
  },
} as const satisfies OptionDeclarations;

/** Of the messages of each network. */
export const networkMessages = {
  FullGN: {},
  GGNN: {},
  GAT: {
    heads: { kind: 'integer', least: 1, default: 5, dividesD: true, about: 'heads of attention, of GAT' },
  },
} as const satisfies Readonly<Record<string, OptionDeclarations>>;

/** Of explicit flow with a global state. */
export const globalOptions = {
  globalReduction: {
    kind: 'choice',
    choices: ['sum', 'mean'],
    default: 'sum',
    about: 'whether the global state reads Σ aᵢhᵢ or that divided by the number of nodes, of explicit flow',
  },
} as const satisfies OptionDeclarations;

/** Of explicit flow. */
export const stoppingOptions = {
  stopping: {
    kind: 'choice',
    choices: ['never', 'missing', 'learned'],
    default: 'never',
    about:
      'whether attention stays for good on a self-loop: by missing edge types, or as it learns; of explicit flow',
  },
} as const satisfies OptionDeclarations;

/** Of models with messages. */
export const messageOptions = {
  messageMemory: {
    kind: 'bytes',
    least: 0,
    default: 5 * 2 ** 26,
    about: 'bytes of messages per step that are kept for the backward pass; more are computed again',
  },
} as const satisfies OptionDeclarations;

/** Of walkers. */
export const walkerOptions = {
  memory: {
    kind: 'integer',
    least: 0,
    most: 1024,
    default: 0,
    about: 'channels of what a walker remembers of its way, of Walker',
  },
  clock: {
    kind: 'integer',
    least: 0,
    most: 64,
    default: 4,
    about: 'waves by which a walker reads the time, 0 where the time does not matter, of Walker',
  },
} as const satisfies OptionDeclarations;

/** What the options of a model with explicit flow follow from. */
export interface FlowShape {
  readonly message?: { readonly options?: OptionDeclarations };
  readonly hasGlobal?: boolean;
}

export const flowOptions = ({ message, hasGlobal }: FlowShape): OptionDeclarations => ({
  ...commonOptions,
  ...(message && messageOptions),
  ...message?.options,
  ...(hasGlobal && globalOptions),
  ...stoppingOptions,
});

export const networkOptions = ({ message }: Required<Pick<FlowShape, 'message'>>): OptionDeclarations => ({
  ...commonOptions,
  ...messageOptions,
  ...regularOptions,
  ...message.options,
});

/** All options that some model has. */
export const modelOptions = {
  ...commonOptions,
  ...regularOptions,
  ...networkMessages.FullGN,
  ...networkMessages.GGNN,
  ...networkMessages.GAT,
  ...globalOptions,
  ...stoppingOptions,
  ...messageOptions,
  ...walkerOptions,
} as const;
