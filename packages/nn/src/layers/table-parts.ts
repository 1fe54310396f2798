/** Inputs of a layer in parts that lie side by side, some of which may be rows of tables. */
import { gather, isRecording, rowIndex } from '@flowgrad/tensor';
import type { RowIndex, TableRows, Tensor } from '@flowgrad/tensor';

export type Part = Tensor | TableRows;
type ReadRows = TableRows & { readonly rows: RowIndex };

export const read = (part: Part): Tensor => ('table' in part ? part.read() : part);
const widthOf = (part: Part): number => ('table' in part ? part.table : part).shape[1];

/** With gradients, products of parts of the weights are a few ops more, which have to spare the product so many rows. */
const worthMoreOps = 1024;

/** The parts whose tables `owner` is to multiply in place of the rows that are read of them, or has multiplied before. */
export function tablesIn(parts: readonly Part[], owner: object): ReadRows[] {
  const tables = parts.filter((part): part is ReadRows => 'table' in part && !!part.rows);
  const areWorthIt = tables.every(
    ({ table, rows, isMade }) => isMade(owner) || rows.length - table.shape[0] >= worthMoreOps,
  );
  return areWorthIt || !isRecording() ? tables : [];
}

/**
 * [x : u : y : g]·W = [x : y]·W′ + u·W_u + g·W_g: W′, then W_u and W_g, where u and g are the parts that are given. What lies behind the
 * parts, as the state of a GRU cell does, is in W′ too.
 */
export function weightsAround(
  given: readonly Part[],
  parts: readonly Part[],
  w: Tensor,
): readonly [others: Tensor, ...ofGiven: Tensor[]] {
  const [all] = w.shape;
  const owners = parts.flatMap((part) => new Array<Part>(widthOf(part)).fill(part));
  const channelsOf = (isOurs: (part: Part) => boolean): Tensor => {
    const channels = Array.from({ length: all }, (_, i) => i);
    return gather(
      w,
      rowIndex(
        channels.filter((i) => isOurs(owners[i])),
        all,
      ),
    );
  };
  return [
    channelsOf((part) => !given.includes(part)),
    ...given.map((each) => channelsOf((part) => part === each)),
  ];
}
