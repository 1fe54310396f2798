/** Writes the report of all runs below `folder` to the file `out`. */
export async function writeReport(folder: string, out: string): Promise<void> {
  throw new Error(`report: expected to write ${out} from ${folder}, but reports are not there yet`);
}
