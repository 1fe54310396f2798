/** A link or a run is on a dataset that is not open here: neither carries it. */
export class MissingDataError extends Error {
  override readonly name = 'MissingDataError';
  readonly sha256: string;

  constructor(where: string, name: string, sha256: string) {
    super(
      `${where}: expected the dataset ${name} (SHA-256 ${sha256.slice(0, 12)}…) to be open, got another or none ` +
        '(open the folder of its files: it goes on by itself then)',
    );
    this.sha256 = sha256;
  }
}
