/** How high the true destinations are ranked. */
export interface RankingMetrics {
  /** Percent of the pairs whose destination has a rank of at most 1. */
  readonly hits1: number;
  readonly hits5: number;
  readonly hits10: number;
  /** Mean rank. */
  readonly mr: number;
  /** Mean reciprocal rank, in 0 … 1. */
  readonly mrr: number;
}

/**
 * The ranks first … last that nodes of the same score share; first = last without a tie. The best rank is 1.
 */
export interface SharedRank {
  readonly first: number;
  readonly last: number;
}

/**
 * How a tie counts. `mean`: as the mean of the shared ranks, hits too, so a tie for the first place is no
 * hit@1. `broken`: as if the order within the tie were drawn at random, in expectation.
 */
export type Ties = 'mean' | 'broken';

/**
 * The rank of `target` among all nodes by descending score. `others` are left out (the target itself never
 * is).
 */
export function rankOf(scores: ArrayLike<number>, target: number, others: Iterable<number> = []): SharedRank {
  const score = scores[target];
  if (score === undefined || Number.isNaN(score)) {
    throw new RangeError(`rankOf: expected a score for node ${target}, got ${String(score)}`);
  }
  let above = 0;
  let equal = 0;
  for (let node = 0; node < scores.length; node++) {
    if (scores[node] > score) above++;
    else if (scores[node] === score) equal++;
    else if (Number.isNaN(scores[node]))
      throw new RangeError(`rankOf: expected a score for node ${node}, got NaN`);
  }
  for (const node of new Set(others)) {
    if (node === target) continue;
    if (scores[node] > score) above--;
    else if (scores[node] === score) equal--;
  }
  return { first: above + 1, last: above + equal };
}

/**
 * Hits@1, @5 and @10, the mean rank and the mean reciprocal rank of ranks, which ties share: their mean rank
 * counts, or the mean over all orders.
 */
export function summarizeRanks(ranks: readonly SharedRank[], ties: Ties = 'mean'): RankingMetrics {
  if (ranks.length === 0) throw new RangeError('summarizeRanks: expected at least one rank, got none');
  const mean = (of: (rank: number) => number): number => {
    let sum = 0;
    for (const { first, last } of ranks) {
      if (ties === 'mean') {
        sum += of((first + last) / 2);
      } else {
        let shared = 0;
        for (let rank = first; rank <= last; rank++) shared += of(rank);
        sum += shared / (last - first + 1);
      }
    }
    return sum / ranks.length;
  };
  const hits = (k: number): number => 100 * mean((rank) => (rank <= k ? 1 : 0));
  return {
    hits1: hits(1),
    hits5: hits(5),
    hits10: hits(10),
    mr: mean((rank) => rank),
    mrr: mean((rank) => 1 / rank),
  };
}

/**
 * The paper's tables are raw; the filtered ranking leaves out the other true destinations of the same question.
 */
export interface RawAndFiltered {
  readonly raw: RankingMetrics;
  readonly filtered: RankingMetrics;
}

/** From where, what is asked if anything is, and the answer. */
export interface Questions {
  readonly sources: ArrayLike<number>;
  readonly destinations: ArrayLike<number>;
  readonly queries?: ArrayLike<number>;
}

/** How ranks are taken. */
export interface RankingOptions {
  /** 'mean' unless given. */
  readonly ties?: Ties;
  /** What else is true: see `trueDestinations`. The destinations of the same question among these examples unless given. */
  readonly known?: (source: number, query?: number) => Iterable<number>;
}

/** One question, and all that are right answers to it among some examples. */
export interface Question {
  readonly source: number;
  readonly query?: number;
  readonly targets: readonly number[];
}

/** What examples ask, each question once, in the order in which they come. */
export function questionsOf({ sources, destinations, queries }: Questions): readonly Question[] {
  const questions = new Map<string, Question & { readonly targets: number[] }>();
  for (let i = 0; i < sources.length; i++) {
    const key = `${sources[i]} ${queries?.[i]}`;
    const asked = questions.get(key);
    if (asked) asked.targets.push(destinations[i]);
    else {
      const query = queries && { query: queries[i] };
      questions.set(key, { source: sources[i], ...query, targets: [destinations[i]] });
    }
  }
  return [...questions.values()];
}

/** Metrics of a predictor on examples. `scoresOf` is asked once for each distinct question. */
export function evaluateRanking(
  examples: Questions,
  scoresOf: (source: number, query?: number) => ArrayLike<number>,
  options: RankingOptions = {},
): RawAndFiltered {
  const ranking = createRanking(options);
  for (const question of questionsOf(examples)) {
    ranking.add(question, scoresOf(question.source, question.query));
  }
  return ranking.metrics();
}

/** Metrics of questions that come one after the other, so that the scores of none need to be kept. */
export interface Ranking {
  /** The scores of all nodes, of which the ranks of the targets are taken. */
  add(this: void, question: Question, scores: ArrayLike<number>): void;
  /** Of all questions so far. */
  metrics(this: void): RawAndFiltered;
}

/** A ranking of no question yet. Ties and what else is true are as `evaluateRanking` has them. */
export function createRanking({ ties = 'mean', known }: RankingOptions = {}): Ranking {
  const raw: SharedRank[] = [];
  const filtered: SharedRank[] = [];
  return {
    add: ({ source, query, targets }, scores) => {
      const others = known ? [...known(source, query)] : targets;
      for (const target of targets) {
        raw.push(rankOf(scores, target));
        filtered.push(rankOf(scores, target, others));
      }
    },
    metrics: () => ({ raw: summarizeRanks(raw, ties), filtered: summarizeRanks(filtered, ties) }),
  };
}
