/** The files of runs in the store: written with the attempt that made them, read as one state. */
import { checksumOf } from '@flowgrad/evaluation/node';
import type { RunFilesNow } from '@flowgrad/evaluation/node';
import { fenced, settle } from './attempt.ts';
import type { Attempt, AttemptEnd, Progress } from './attempt.ts';
import type { Queries } from './database.ts';
import type { Store } from './store.ts';

/** Bytes of a file in one row. */
const partBytes = 8 * 2 ** 20;

/** What is saved at once: the files as they are now, of which unchanged ones come without content. */
export interface Saving {
  /** Absent if nothing of the files changed. */
  readonly files?: RunFilesNow | undefined;
  readonly progress: Progress;
  /** What the run is trained on from now on: what began it, or what went on with it by `anyDevice`. */
  readonly arithmetic: string;
  readonly end?: AttemptEnd;
}

/** Checkpoint, metrics and snapshots in one transaction, which the holder of the run alone gets through. */
export async function saveRun(store: Store, attempt: Attempt, saving: Saving): Promise<void> {
  const { files, progress, arithmetic, end } = saving;
  const { run } = attempt;
  await fenced(store, attempt, progress, async (queries) => {
    if (files) {
      await replaceFiles(queries, run, files);
      await queries.query(
        `update flowgrad.runs set arithmetic = $2, epoch = greatest(epoch, coalesce($3, 0)), changed = now(),
           losses = case when coalesce($4, 0) > step then 0 else losses end, step = greatest(step, coalesce($4, 0))
         where id = $1`,
        [run, arithmetic, progress.epoch ?? null, progress.step ?? null],
      );
    }
    if (end) await settle(store, queries, attempt, end);
  });
}

async function replaceFiles(queries: Queries, run: string, { files, contents }: RunFilesNow): Promise<void> {
  await queries.query('delete from flowgrad.files where run = $1 and path <> all($2::text[])', [
    run,
    Object.keys(files),
  ]);
  for (const [path, content] of Object.entries(contents)) {
    const { bytes, sha256 } = files[path];
    await queries.query(
      `insert into flowgrad.files (run, path, bytes, sha256) values ($1, $2, $3, $4)
       on conflict (run, path) do update set bytes = excluded.bytes, sha256 = excluded.sha256`,
      [run, path, bytes, sha256],
    );
    await queries.query('delete from flowgrad.parts where run = $1 and path = $2', [run, path]);
    for (let number = 0; number * partBytes < content.length; number++) {
      const part = content.subarray(number * partBytes, (number + 1) * partBytes);
      await queries.query('insert into flowgrad.parts (run, path, number, content) values ($1, $2, $3, $4)', [
        run,
        path,
        number,
        part,
      ]);
    }
  }
}

/** The files of a run as they were last saved, all of one moment; none if nothing was. */
export async function readStoredFiles(store: Store, run: string): Promise<Record<string, Uint8Array>> {
  const [listed, parts] = await store.database.transaction(async (queries) => {
    // Whoever saves replaces files one by one: its transaction and this one must not mix.
    await queries.query('set transaction isolation level repeatable read, read only');
    return [
      await queries.query<{ path: string; bytes: number; sha256: string }>(
        'select path, bytes::float8 as bytes, sha256 from flowgrad.files where run = $1 order by path',
        [run],
      ),
      await queries.query<{ path: string; content: Uint8Array }>(
        'select path, content from flowgrad.parts where run = $1 order by path, number',
        [run],
      ),
    ] as const;
  });
  return Object.fromEntries(
    listed.map(({ path, bytes, sha256 }) => {
      const content = Buffer.concat(parts.filter((part) => part.path === path).map((part) => part.content));
      if (content.length !== bytes || checksumOf(content) !== sha256) {
        throw new Error(
          `store: ${store.name}: expected ${bytes} bytes of ${JSON.stringify(path)} of run ${run.slice(0, 12)}, got other content`,
        );
      }
      return [path, content] as const;
    }),
  );
}

/** The checksums of a run's files in the store, by path. */
export async function storedChecksums({ database }: Store, run: string): Promise<Map<string, string>> {
  const rows = await database.query<{ path: string; sha256: string }>(
    'select path, sha256 from flowgrad.files where run = $1',
    [run],
  );
  return new Map(rows.map(({ path, sha256 }) => [path, sha256]));
}
