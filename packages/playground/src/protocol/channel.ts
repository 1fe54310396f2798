/**
 * Two threads that talk: one asks and is answered, the other also tells of what happens by itself. A protocol has a schema
 * for each call, of what it takes and of what comes back; both ends are typed by it, and each checks what it gets.
 */
import { checked, valueOf } from '@flowgrad/schema';
import { expectOneOf } from '@flowgrad/tensor';
import type { GenericSchema, InferOutput } from 'valibot';

/** What a Worker, a worker's own scope and a MessagePort have in common. */
export interface Port {
  postMessage(message: unknown, transfer?: Transferable[]): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
}

interface Call {
  readonly takes: GenericSchema;
  readonly gives: GenericSchema;
}

export type Protocol = Readonly<Record<string, Call>>;

/** What answers the calls of a protocol. */
export type AnswersOf<P> = {
  readonly [Name in keyof P]: P[Name] extends Call
    ? (argument: InferOutput<P[Name]['takes']>) => Promise<InferOutput<P[Name]['gives']>>
    : never;
};

/** A call that takes nothing, or gives nothing. */
export const nothing = valueOf<void>('to be nothing', (value) => value === undefined);

interface Question {
  readonly id: number;
  readonly name: string;
  readonly argument: unknown;
}

type Reply =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly error: { readonly name: string; readonly message: string } }
  | { readonly event: unknown };

export type Ask<P extends Protocol> = <Name extends keyof P & string>(
  name: Name,
  argument: InferOutput<P[Name]['takes']>,
) => Promise<InferOutput<P[Name]['gives']>>;

/** The end that asks. An error on the other side rejects with its name and message. */
export function connect<P extends Protocol, Event = never>(
  port: Port,
  protocol: P,
  events?: { readonly schema: GenericSchema<Event>; readonly onEvent: (event: Event) => void },
): Ask<P> {
  type Waiting = { resolve: (answer: unknown) => void; reject: (error: unknown) => void };
  const waiting = new Map<number, Waiting>();
  let next = 0;
  port.addEventListener('message', ({ data }) => {
    const reply = data as Reply;
    if ('event' in reply) {
      events?.onEvent(checked('worker', events.schema, reply.event));
      return;
    }
    const asked = waiting.get(reply.id);
    waiting.delete(reply.id);
    if ('error' in reply) {
      asked?.reject(Object.assign(new Error(reply.error.message), { name: reply.error.name }));
    } else {
      asked?.resolve(reply.answer);
    }
  });
  return async (name, argument) => {
    const answer = await new Promise((resolve, reject) => {
      const id = next++;
      waiting.set(id, { resolve, reject });
      port.postMessage({ id, name, argument } satisfies Question);
    });
    return checked(`worker: ${name}`, protocol[name].gives, answer);
  };
}

/** The end that answers; `answers` are handed what tells the other end of an event. */
export function serve<P extends Protocol, Event = never>(
  port: Port,
  protocol: P,
  answers: (tell: (event: Event) => void) => AnswersOf<P>,
): void {
  const reply = (message: Reply): void => port.postMessage(message, transferable(message));
  const calls = answers((event) => reply({ event }));
  const answer = async ({ name, argument }: Question): Promise<unknown> => {
    const known: keyof P = expectOneOf('ask', 'a call', name, Object.keys(protocol));
    return calls[known](checked(name, protocol[known].takes, argument));
  };
  port.addEventListener('message', ({ data }) => {
    const question = data as Question;
    const { id } = question;
    answer(question).then(
      (given) => reply({ id, answer: given }),
      (error: unknown) => {
        const { name, message } = error instanceof Error ? error : new Error(String(error));
        reply({ id, error: { name, message } });
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
