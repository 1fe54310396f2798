// @ts-check
/**
 * Preloaded into a process (`node --import`), it counts what the process does to the files of one folder, and at one of
 * these operations it kills the process, fills the disk, or waits. Environment: FLOWGRAD_FAULTY_DISK, a `DiskPlan` as JSON.
 *
 * @typedef {{ kind: 'none' }} NoFault
 * @typedef {{ kind: 'kill', at: number, how: 'before' | 'middle' | 'after' }} Kill ends the process by SIGKILL
 * @typedef {{ kind: 'full', at: number, once: boolean }} Full raises ENOSPC, once or from then on
 * @typedef {{ kind: 'pause', seed: number, most: number }} Pause waits up to `most` milliseconds before each operation
 * @typedef {{ kind: 'stop', at: number }} Stop stops the process by SIGSTOP before the operation
 * @typedef {{ kind: 'unreadable', path: string, code: string }} Unreadable what lies there cannot be read
 * @typedef {object} DiskPlan
 * @property {string} folder  operations elsewhere are left alone
 * @property {string} [log]  a file outside of it, to which every operation is added as a line of JSON
 * @property {NoFault | Kill | Full | Pause | Stop | Unreadable} fault
 *
 * @typedef {object} Operation
 * @property {number} k  counted from 1
 * @property {string} name
 * @property {string} path  relative to the folder
 * @property {boolean} changes  whether it changes the disk
 * @property {boolean} writes  whether it needs room
 * @property {boolean} divisible  whether it can be done in part
 * @property {number} at  milliseconds of a clock that all processes share
 */
import fs from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { isAbsolute, join, relative, resolve } from 'node:path';

/** @type {DiskPlan} */
const plan = JSON.parse(process.env['FLOWGRAD_FAULTY_DISK'] ?? '');
const { folder, log, fault } = plan;
// As they are before they are wrapped below.
const { appendFileSync, lstatSync, readdirSync } = fs;
const { rm: remove } = promises;

let count = 0;
let random = fault.kind === 'pause' ? fault.seed : 0;

const reads = ['access', 'lstat', 'opendir', 'readFile', 'readdir', 'realpath', 'stat'];
const changes = ['chmod', 'link', 'rename', 'rm', 'rmdir', 'unlink', 'utimes', 'symlink', 'truncate'];
const writes = ['appendFile', 'copyFile', 'mkdir', 'mkdtemp', 'writeFile'];
const ofHandles = [
  'appendFile',
  'datasync',
  'read',
  'readFile',
  'sync',
  'truncate',
  'utimes',
  'write',
  'writeFile',
];
const writesData = ['appendFile', 'write', 'writeFile'];

/** The path below the folder; undefined if it is none of ours. */
function pathOf(/** @type {unknown} */ argument) {
  const path = argument instanceof URL ? argument.pathname : String(argument);
  const inside = relative(folder, resolve(path));
  return inside.startsWith('..') || isAbsolute(inside) ? undefined : inside || '.';
}

/** @returns {Operation} */
function operation(/** @type {string} */ name, /** @type {string} */ path, /** @type {unknown[]} */ args) {
  const opens = name === 'open' && typeof args[1] === 'string' && args[1] !== 'r';
  const isWrite = opens || writes.includes(name) || writesData.includes(name);
  const isRemoval = name === 'rm' && lstatSync(join(folder, path), { throwIfNoEntry: false })?.isDirectory();
  return {
    k: ++count,
    name,
    path,
    changes: isWrite || changes.includes(name) || /sync$/.test(name),
    writes: isWrite,
    divisible: writesData.includes(name) || isRemoval === true,
    at: performance.timeOrigin + performance.now(),
  };
}

function die() {
  process.kill(process.pid, 'SIGKILL');
  // Nothing more happens while the signal arrives.
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
}
function errorOf(/** @type {string} */ code, /** @type {Operation} */ { name, path }) {
  const at = join(folder, path);
  return Object.assign(new Error(`${code}: made so, ${name} '${at}'`), { code, syscall: name, path: at });
}
const noRoom = (/** @type {Operation} */ operation) => errorOf('ENOSPC', operation);

/** Whether the operation reads what cannot be read. Without permission a file can still be looked at. */
function isRefused(/** @type {Operation} */ { name, path, changes }) {
  if (fault.kind !== 'unreadable' || changes) return false;
  const isLook = fault.code === 'EACCES' && /^l?stat$/.test(name);
  return (path === fault.path && !isLook) || path.startsWith(`${fault.path}/`);
}

/** What is to happen at this operation: undefined if nothing is. */
function faultAt(/** @type {Operation} */ { k, writes }) {
  if (fault.kind === 'full') {
    if (writes && (k === fault.at || (k > fault.at && !fault.once))) return 'full';
  } else if ((fault.kind === 'kill' || fault.kind === 'stop') && k === fault.at) {
    return fault.kind === 'kill' ? fault.how : 'stop';
  }
  return undefined;
}

const half = (/** @type {unknown} */ data) =>
  typeof data === 'string' || data instanceof Uint8Array ? data.slice(0, data.length >> 1) : '';

/** mulberry32's state, stepped once: good enough for lengths of pauses. */
function milliseconds() {
  if (fault.kind !== 'pause') return 0;
  random = (Math.imul(random, 1664525) + 1013904223) >>> 0;
  return (random / 2 ** 32) * fault.most;
}

/**
 * Does an operation with its fault.
 * @param {Operation} operation
 * @param {() => any} whole
 * @param {() => any} part
 */
async function act(operation, whole, part) {
  if (log !== undefined) appendFileSync(log, `${JSON.stringify(operation)}\n`);
  if (fault.kind === 'unreadable' && isRefused(operation)) throw errorOf(fault.code, operation);
  const happens = faultAt(operation);
  if (happens === 'before') die();
  if (happens === 'stop') process.kill(process.pid, 'SIGSTOP');
  if (happens === 'middle' || happens === 'full') {
    if (operation.divisible) await part();
    if (happens === 'middle') die();
    throw noRoom(operation);
  }
  if (fault.kind === 'pause') await new Promise((done) => setTimeout(done, milliseconds()));
  const result = await whole();
  if (happens === 'after') die();
  return result;
}

/** The same for operations that wait for nothing. */
function actNow(/** @type {Operation} */ operation, /** @type {() => any} */ whole) {
  if (log !== undefined) appendFileSync(log, `${JSON.stringify(operation)}\n`);
  if (fault.kind === 'unreadable' && isRefused(operation)) throw errorOf(fault.code, operation);
  const happens = faultAt(operation);
  if (happens === 'before' || happens === 'middle') die();
  if (happens === 'stop') process.kill(process.pid, 'SIGSTOP');
  if (happens === 'full') throw noRoom(operation);
  const result = whole();
  if (happens === 'after') die();
  return result;
}

/** Half of a file's data, or one entry of a folder that is removed. */
function partOf(/** @type {string} */ name, /** @type {any} */ original, /** @type {any[]} */ args) {
  if (name !== 'rm') return () => original(args[0], half(args[1]), ...args.slice(2));
  return async () => {
    const [first] = readdirSync(args[0]);
    if (first !== undefined) await remove(join(String(args[0]), first), { recursive: true });
  };
}

/** @type {WeakMap<object, string>} */
const handles = new WeakMap();
let areHandlesWrapped = false;

function wrapHandles(/** @type {any} */ prototype) {
  areHandlesWrapped = true;
  for (const name of ofHandles) {
    const original = prototype[name];
    prototype[name] = function (/** @type {any[]} */ ...args) {
      const path = handles.get(this);
      if (path === undefined) return original.apply(this, args);
      const part = () => original.apply(this, [half(args[0])]);
      return act(operation(name, path, args), () => original.apply(this, args), part);
    };
  }
}

const all = /** @type {any} */ ({ ...promises });
for (const name of [...reads, ...changes, ...writes, 'open']) {
  const original = all[name];
  /** @type {any} */ (promises)[name] = async function (/** @type {any[]} */ ...args) {
    const path = pathOf(args[0]);
    if (path === undefined) return original(...args);
    const part = partOf(name, original, args);
    const result = await act(operation(name, path, args), () => original(...args), part);
    if (name === 'open') {
      if (!areHandlesWrapped) wrapHandles(Object.getPrototypeOf(result));
      handles.set(result, path);
    }
    return result;
  };
  const now = /** @type {any} */ (fs)[`${name}Sync`];
  if (now) {
    const wrappedNow = function (/** @type {any[]} */ ...args) {
      const path = pathOf(args[0]);
      if (path === undefined) return now(...args);
      return actNow(operation(name, path, args), () => now(...args));
    };
    /** @type {any} */ (fs)[`${name}Sync`] = Object.assign(wrappedNow, now);
  }
  const later = /** @type {any} */ (fs)[name];
  const wrapped = function (/** @type {any} */ ...args) {
    const path = pathOf(args[0]);
    const done = args.at(-1);
    if (path === undefined || typeof done !== 'function') return later(...args);
    const whole = () =>
      new Promise((resolve, reject) =>
        later(...args.slice(0, -1), (/** @type {unknown} */ error, /** @type {unknown} */ value) =>
          error ? reject(error) : resolve(value),
        ),
      );
    act(operation(name, path, args), whole, () => undefined).then(
      (value) => done(null, value),
      (error) => done(error),
    );
  };
  // `realpath` carries `native`.
  /** @type {any} */ (fs)[name] = Object.assign(wrapped, later);
}
syncBuiltinESMExports();
