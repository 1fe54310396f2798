/** Inputs of a layer in parts that lie side by side, one of which may be rows of a table. */
import { gatherPair, rowIndex } from '@flowgrad/tensor';
import type { RowIndex, TableRows, Tensor } from '@flowgrad/tensor';

export type Part = Tensor | TableRows;

export const read = (part: Part): Tensor => ('table' in part ? part.read() : part);
const widthOf = (part: Part): number => ('table' in part ? part.table : part).shape[1];

/** The part whose table has rows that are read more than once, if there is one. */
export function givenIn(parts: readonly Part[]): (TableRows & { readonly rows: RowIndex }) | undefined {
  return parts.find(
    (part): part is TableRows & { readonly rows: RowIndex } => 'table' in part && !!part.rows,
  );
}

/**
 * [x : u : y]·W = [x : y]·W′ + u·W_u: W′ and W_u, where u is the part that is given. What lies behind the parts, as the state of a GRU cell
 * does, is in W′ too.
 */
export function weightsAround(
  given: Part,
  parts: readonly Part[],
  w: Tensor,
): readonly [others: Tensor, ofGiven: Tensor] {
  const before = parts.slice(0, parts.indexOf(given)).reduce((total, part) => total + widthOf(part), 0);
  const [behind, all] = [before + widthOf(given), w.shape[0]];
  const channels = Array.from({ length: all }, (_, i) => i);
  const isOfGiven = (i: number): boolean => i >= before && i < behind;
  return gatherPair(
    w,
    rowIndex(
      channels.filter((i) => !isOfGiven(i)),
      all,
    ),
    rowIndex(channels.filter(isOfGiven), all),
  );
}
