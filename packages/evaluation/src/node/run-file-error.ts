import { join } from 'node:path';

/** A file of a run is not what it should be. */
export class RunFileError extends Error {
  override readonly name = 'RunFileError';
  /** Its path in the folder. */
  readonly file: string;
  readonly problem: string;

  constructor(folder: string, file: string, problem: string) {
    super(`${join(folder, file)}: ${problem} (flowgrad doctor ${folder} tells what can be done)`);
    this.file = file;
    this.problem = problem;
  }
}
