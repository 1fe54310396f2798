/** A port that leads to another, until it is cut. */
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** A line to a port of this machine. */
export interface CuttableLine {
  readonly port: number;
  /** Ends what goes through it, and takes nothing more. */
  cut(): Promise<void>;
  mend(): Promise<void>;
}

/** Lays a line to a port. */
export async function cuttableLine(port: number): Promise<CuttableLine> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const there = connect(port, '127.0.0.1');
    for (const each of [socket, there]) {
      sockets.add(each);
      each.on('error', () => undefined).on('close', () => sockets.delete(each));
    }
    socket.pipe(there).pipe(socket);
  });
  const listen = (at: number): Promise<void> =>
    new Promise((resolve) => server.listen(at, '127.0.0.1', resolve));
  await listen(0);
  const { port: own } = server.address() as AddressInfo;
  const cut = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  return { port: own, cut, mend: () => listen(own) };
}
