/**
 * The paper's equations once more, in scalar loops over nodes and edges, for one example at a time. No tensors, no
 * plans, nothing shared with the models but the names of the parameters.
 */
import type { Graph } from '@flowgrad/graph';
import { parameters } from '@flowgrad/nn';
import type { Model } from '../model/model.ts';

/** A parameter: its values and how to reach into them. */
interface Values {
  readonly shape: readonly number[];
  readonly data: ArrayLike<number>;
}
export type PlainParameters = ReadonlyMap<string, Values>;

export async function readParameters(model: Model): Promise<PlainParameters> {
  const read = [...parameters(model)].map(
    async ([name, tensor]) => [name, { shape: tensor.shape, data: await tensor.data() }] as const,
  );
  return new Map(await Promise.all(read));
}

export interface PlainCase {
  readonly model: string;
  readonly graph: Graph;
  readonly parameters: PlainParameters;
  readonly steps: number;
  readonly d: number;
  readonly attentionChannels: number;
  readonly heads: number;
  readonly globalReduction: 'sum' | 'mean';
  /** Never unless given. Self-loops are the edges of the last type. */
  readonly stopping?: 'never' | 'missing' | 'learned';
  /** What is asked, and which edges nothing walks along; nothing unless given. */
  readonly asked?: { readonly query: number; readonly hidden: readonly number[] };
  /** Carries on the attention of so many nodes at each step, along so many outgoing edges of each; all unless given. */
  readonly keep?: { readonly nodes: number; readonly edges: number };
}

export interface PlainResult {
  readonly scores: readonly number[];
  readonly attention: readonly (readonly number[])[];
  /** What of it has stopped for good. */
  readonly stopped: readonly (readonly number[])[];
  /** [t][edge of the graph] */
  readonly flows: readonly (readonly number[])[];
}

type Vector = readonly number[];

const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i);
const total = (values: Vector): number => values.reduce((a, b) => a + b, 0);
const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));
const zeros = (n: number): number[] => new Array<number>(n).fill(0);

/** Of equals, the one that comes first. */
const heaviest = (weights: Vector, ids: Vector): number[] =>
  [...ids].sort((a, b) => weights[b] - weights[a] || a - b);

export function plainForward(of: PlainCase, source: number): PlainResult {
  const { model, graph, steps, d, heads, stopping = 'never' } = of;
  const { nodeCount, edgeCount, senders, receivers, edgeTypes } = graph;
  const [family, acting] = model.startsWith('RW-') ? [model, 'NoAct'] : model.split('-');
  const regular = acting === undefined;
  const nodes = range(nodeCount);
  const edges = range(edgeCount);
  const get = (name: string): Values => of.parameters.get(name)!;
  /** W[prefix…][i][o], for a kernel stacked over any number of leading axes. */
  const kernel = (name: string, prefix: Vector = []): ((i: number, o: number) => number) => {
    const { shape, data } = get(name);
    const [width, out] = shape.slice(-2);
    const matrix = prefix.reduce((at, p, axis) => at * shape[axis] + p, 0);
    return (i, o) => data[(matrix * width + i) * out + o];
  };
  const bias = (name: string, type?: number): ((o: number) => number) => {
    const { shape, data } = get(name);
    return (o) => data[(type ?? 0) * shape[shape.length - 1] + o];
  };
  const product = (x: Vector, w: (i: number, o: number) => number, out: number): number[] =>
    range(out).map((o) => total(x.map((value, i) => value * w(i, o))));
  const affine = (x: Vector, w: string, b: string, out: number, type?: number): number[] =>
    product(x, kernel(w, type === undefined ? [] : [type]), out).map((y, o) => y + bias(b, type)(o));
  /** Softmax over the outgoing edges of each sender. */
  const overOutgoing = (logits: Vector): number[] =>
    edges.map((e) => {
      const siblings = edges.filter((other) => senders[other] === senders[e]);
      return Math.exp(logits[e]) / total(siblings.map((other) => Math.exp(logits[other])));
    });

  const u = nodes.map((i) => range(d).map((c) => get('u').data[i * d + c]));
  const marks = regular ? of.attentionChannels : 0;
  let h = nodes.map((i) => {
    if (family === 'RW-Stationary') return u[i];
    const mark = range(marks).map(() => (i === source ? 1 / Math.sqrt(marks) : 0));
    return [...mark, ...affine(u[i], 'init.w', 'init.b', d - marks).map(Math.tanh)];
  });
  let g = zeros(d);
  let a: number[] = nodes.map((i) => (i === source ? 1 : 0));
  let stopped: number[] = zeros(nodeCount);
  const attention = [a];
  const resting = [stopped];
  const isLoop = (e: number): boolean => edgeTypes[e] === graph.edgeTypeCount - 1;
  /** log Σ e^(v_k·h_i + c_k) over the types of which no edge leaves i. */
  const missingLogit = (i: number): number => {
    const types = graph.edgeTypeCount - 1;
    const has = (k: number): boolean => edges.some((e) => senders[e] === i && edgeTypes[e] === k);
    return Math.log(total(affine(h[i], 'stop.w', 'stop.b', types).map((z, k) => (has(k) ? 0 : Math.exp(z)))));
  };
  const flows: number[][] = [];
  const rowOf = (name: string, row: number): number[] => range(d).map((c) => get(name).data[row * d + c]);
  const embedding = of.asked && rowOf('asking.query.w', of.asked.query);
  if (embedding && !regular && family !== 'RW-Stationary') {
    const more = affine(embedding, 'asking.begin.w', 'asking.begin.b', d);
    h = h.map((row, i) => (i === source ? row.map((value, c) => value + more[c]) : row));
  }
  /** c_t */
  const wantedAt = (t: number, q: Vector): number[] => {
    const waves = range(4).flatMap((k) =>
      [Math.sin, Math.cos].map((wave) => wave((Math.PI * (k + 1) * t) / steps)),
    );
    const clock = affine(waves, 'asking.clock.w', 'asking.clock.b', d);
    const x = rowOf('asking.u', source);
    const joined = [...q, ...x, ...q.map((value, c) => value * x[c])];
    return affine(joined, 'asking.wanted.w', 'asking.wanted.b', d).map((x, c) => Math.tanh(x + clock[c]));
  };
  /** c_t·tanh(k_type + x_i S + x_j R) + κ_type, for each edge. */
  const askedLogits = (wanted: Vector): number[] =>
    edges.map((e) => {
      if (of.asked!.hidden.includes(e)) return -Infinity;
      const from = affine(rowOf('asking.u', senders[e]), 'asking.sender.w', 'asking.sender.b', d);
      const to = affine(rowOf('asking.u', receivers[e]), 'asking.receiver.w', 'asking.receiver.b', d);
      const features = rowOf('asking.type.w', edgeTypes[e]).map((k, c) => Math.tanh(k + from[c] + to[c]));
      return total(wanted.map((x, c) => x * features[c])) + get('asking.bias').data[edgeTypes[e]];
    });

  for (let t = 0; t < steps; t++) {
    let flow = zeros(edgeCount);
    if (!regular) {
      const wanted = embedding && wantedAt(t, embedding);
      const more = wanted ? askedLogits(wanted) : zeros(edgeCount);
      const logits = edges.map((e) => {
        if (stopping === 'missing' && isLoop(e)) return missingLogit(senders[e]);
        const [x, y] = [h[senders[e]], h[receivers[e]]];
        const joined = [...x, ...y, ...x.map((value, c) => value * y[c])];
        return affine(joined, 'trans.w', 'trans.b', 1, edgeTypes[e])[0] + more[e];
      });
      const transition = overOutgoing(logits);
      const before = a;
      const stays = stopped;
      flow = edges.map((e) => {
        const i = senders[e];
        return transition[e] * (before[i] - stays[i]) + (isLoop(e) ? stays[i] : 0);
      });
      if (of.keep) {
        const { nodes: mostNodes, edges: mostEdges } = of.keep;
        const kept = heaviest(
          before,
          nodes.filter((i) => before[i] > 0),
        ).slice(0, mostNodes);
        const along = kept.flatMap((i) => {
          const leaving = edges.filter((e) => senders[e] === i);
          return heaviest(flow, leaving).slice(0, mostEdges);
        });
        const whole = flow;
        flow = edges.map((e) => (along.includes(e) ? whole[e] : 0));
      }
      a = nodes.map((j) => total(edges.filter((e) => receivers[e] === j).map((e) => flow[e])));
      if (stopping !== 'never') {
        stopped = nodes.map((i) =>
          total(edges.filter((e) => isLoop(e) && senders[e] === i).map((e) => flow[e])),
        );
      }
      attention.push(a);
      resting.push(stopped);
      flows.push(flow);
    }
    if (family === 'RW-Stationary') continue;

    const messages = edges.map((): number[][] => []);
    const [now, globalNow] = [h, g];
    if (family === 'FullGN') {
      for (const e of edges) {
        const joined = [...now[senders[e]], ...now[receivers[e]], ...globalNow];
        messages[e] = [affine(joined, 'msg.w', 'msg.b', d, edgeTypes[e]).map(Math.tanh)];
      }
    } else if (family === 'GGNN') {
      for (const e of edges) messages[e] = [affine(now[senders[e]], 'msg.w', 'msg.b', d, edgeTypes[e])];
    } else if (family === 'GAT') {
      const width = d / heads;
      for (const k of range(heads)) {
        const sent = edges.map((e) => product(now[senders[e]], kernel('msg.w', [k, edgeTypes[e]]), width));
        const logits = edges.map((e) => {
          const there = product(now[receivers[e]], kernel('msg.w', [k, edgeTypes[e]]), width);
          const [logit] = product([...sent[e], ...there], kernel('msg.a', [k, edgeTypes[e]]), 1);
          return logit > 0 ? logit : 0.2 * logit;
        });
        const alpha = overOutgoing(logits);
        for (const e of edges) messages[e].push(sent[e].map((value) => alpha[e] * value));
      }
    }
    if (embedding && (acting === 'Mul' || acting === 'MulMlp')) {
      const said = affine(embedding, 'asking.say.w', 'asking.say.b', d);
      for (const e of edges) {
        const width = messages[e][0].length;
        messages[e] = messages[e].map((ofHead, k) => ofHead.map((value, c) => value + said[k * width + c]));
      }
    }
    const acted = messages.map((ofHeads, e) =>
      ofHeads.flatMap((message) => {
        if (acting === 'Mul') return message.map((value) => flow[e] * value);
        if (acting !== 'MulMlp') return message;
        const scaled = message.map((value) => flow[e] * value);
        return affine(scaled, 'attend.w', 'attend.b', message.length).map(Math.tanh);
      }),
    );
    const received = nodes.map((j) =>
      range(d).map((c) => total(edges.filter((e) => receivers[e] === j).map((e) => acted[e][c] ?? 0))),
    );

    h = nodes.map((i) => {
      if (family === 'RW-Dynamic') {
        return affine([...now[i], ...u[i], ...globalNow], 'node.w', 'node.b', d).map(Math.tanh);
      }
      if (family === 'FullGN') {
        const joined = [...now[i], ...received[i], ...u[i], ...globalNow];
        return affine(joined, 'node.w', 'node.b', d).map(Math.tanh);
      }
      const x = [...received[i], ...u[i]];
      const gates = affine([...x, ...now[i]], 'gru.gate.w', 'gru.gate.b', 2 * d).map(sigmoid);
      const reset = now[i].map((value, c) => gates[c] * value);
      const candidate = affine([...x, ...reset], 'gru.cand.w', 'gru.cand.b', d).map(Math.tanh);
      return now[i].map((value, c) => gates[d + c] * value + (1 - gates[d + c]) * candidate[c]);
    });
    if (family === 'RW-Dynamic' || family === 'FullGN') {
      const [states, focus] = [h, a];
      const ofStates = range(d).map((c) => {
        if (regular) return total(states.map((row) => row[c])) / nodeCount;
        const sum = total(states.map((row, i) => focus[i] * row[c]));
        return of.globalReduction === 'sum' ? sum : sum / nodeCount;
      });
      const ofMessages = range(d).map((c) => total(received.map((row) => row[c])) / nodeCount);
      const joined = [...globalNow, ...ofStates, ...(family === 'FullGN' ? ofMessages : [])];
      g = affine(joined, 'global.w', 'global.b', d).map(Math.tanh);
    }
  }
  const logits = h.map((row) => total(row.slice(0, marks)) / Math.sqrt(marks));
  return { scores: regular ? logits : a, attention: regular ? [] : attention, stopped: resting, flows };
}
