/** Sums of rows that were left to whoever reads them: they are read soon after they are made, from the cache. */
import type { RowsToMake, WasmDevice, WasmRows, WasmTensor } from './wasm-kernel.ts';

/** Values that each thread makes before they are read: half of what the cache of its core holds. */
const valuesAtOnce = 2 ** 17;

/** Row r of the sums reads the values `from` k of the entries k with `into` k = r. */
export interface Sums {
  readonly values: WasmTensor;
  readonly from: WasmRows;
  readonly into: WasmRows;
}

/** Makes what was left, some rows at a time, and calls `sumInto` for the rows first … last − 1 of the sums that read no others. */
export function sumLeftRows(
  device: WasmDevice,
  left: RowsToMake,
  sums: Sums,
  sumInto: (first: number, last: number) => void,
): void {
  const cuts = cutsOf(device, sums);
  left.make((make) => {
    let [made, summed] = [0, 0];
    for (const { value, row: last } of cuts) {
      const needed = Math.ceil((value * left.count) / sums.values.shape[0]);
      make(made, needed);
      sumInto(summed, last);
      [made, summed] = [needed, last];
    }
  });
}

/** Where the sums are cut: the rows before `row` read only values before `value`. */
function cutsOf(device: WasmDevice, { values, from, into }: Sums): { value: number; row: number }[] {
  const most = (valuesAtOnce * device.threads) / values.shape[1];
  const cuts: { value: number; row: number }[] = [];
  device.scratch(into.rows, (reach) => {
    device.launch('attendedReach', into.rows, into.length + into.rows, {
      from: from.ids.buffer.pointer,
      offsets: into.offsets.buffer.pointer,
      order: into.order.buffer.pointer,
      reach,
    });
    const reaches = device.ints(reach, into.rows);
    let [made, value] = [0, 0];
    for (let row = 0; row < into.rows; row++) {
      const next = Math.max(value, reaches[row]);
      if (next - made > most && value > made) {
        cuts.push({ value, row });
        made = value;
      }
      value = next;
    }
  });
  return [...cuts, { value: values.shape[0], row: into.rows }];
}
