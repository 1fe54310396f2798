/**
 * Two threads that talk: one asks and is answered, the other also tells of what happens by itself. A protocol is an
 * interface of functions of one argument; both ends are typed by it.
 */
import { expectOneOf } from '@flowgrad/tensor';

/** What a Worker, a worker's own scope and a MessagePort have in common. */
export interface Port {
  postMessage(message: unknown, transfer?: Transferable[]): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
}

type Calls<Protocol> = { [Name in keyof Protocol]: (argument: never) => Promise<unknown> };
type ArgumentOf<Call> = Call extends (argument: infer Argument) => unknown ? Argument : never;
type AnswerOf<Call> = Call extends (argument: never) => Promise<infer Answer> ? Answer : never;

interface Question {
  readonly id: number;
  readonly name: string;
  readonly argument: unknown;
}

type Reply =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly error: { readonly name: string; readonly message: string } }
  | { readonly event: unknown };

export type Ask<Protocol> = <Name extends keyof Protocol & string>(
  name: Name,
  argument: ArgumentOf<Protocol[Name]>,
) => Promise<AnswerOf<Protocol[Name]>>;

/** The end that asks. An error on the other side rejects with its name and message. */
export function connect<Protocol extends Calls<Protocol>, Event>(
  port: Port,
  onEvent: (event: Event) => void,
): Ask<Protocol> {
  const waiting = new Map<number, { resolve: (answer: never) => void; reject: (error: Error) => void }>();
  let next = 0;
  port.addEventListener('message', ({ data }) => {
    const reply = data as Reply;
    if ('event' in reply) {
      onEvent(reply.event as Event);
      return;
    }
    const asked = waiting.get(reply.id);
    waiting.delete(reply.id);
    if ('error' in reply) {
      asked?.reject(Object.assign(new Error(reply.error.message), { name: reply.error.name }));
    } else {
      asked?.resolve(reply.answer as never);
    }
  });
  return (name, argument) =>
    new Promise((resolve, reject) => {
      const id = next++;
      waiting.set(id, { resolve, reject });
      port.postMessage({ id, name, argument } satisfies Question);
    });
}

/** The end that answers. Returns what tells the other end of an event. */
export function serve<Protocol extends Calls<Protocol>, Event>(
  port: Port,
  answers: (tell: (event: Event) => void) => Protocol,
): void {
  const reply = (message: Reply): void => port.postMessage(message, transferable(message));
  const calls = answers((event) => reply({ event }));
  port.addEventListener('message', ({ data }) => {
    const { id, name, argument } = data as Question;
    Promise.resolve()
      .then(() =>
        calls[expectOneOf('ask', 'a call', name, Object.keys(calls)) as keyof Protocol](argument as never),
      )
      .then(
        (answer) => reply({ id, answer }),
        (error: unknown) => {
          const { name: kind, message } = error instanceof Error ? error : new Error(String(error));
          reply({ id, error: { name: kind, message } });
        },
      );
  });
}

/**
 * Lists of float arrays, which is what predictions are made of, are moved rather than copied. Everything else (maps,
 * checkpoints) the sender may still need.
 */
function transferable(message: unknown): Transferable[] {
  const found = new Set<ArrayBuffer>();
  const visit = (value: unknown, isListed: boolean): void => {
    if (value instanceof Float32Array) {
      if (isListed && value.buffer instanceof ArrayBuffer) found.add(value.buffer);
    } else if (Array.isArray(value)) {
      for (const each of value) visit(each, true);
    } else if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)) {
      for (const each of Object.values(value)) visit(each, false);
    }
  };
  visit(message, false);
  return [...found];
}
