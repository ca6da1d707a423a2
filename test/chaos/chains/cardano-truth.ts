import { once } from "node:events";
import { WebSocket } from "ws";
import { present } from "../../../src/platform/kernel/assert.ts";
import type { CardanoSite } from "../../../src/sandbox/sandbox-file.ts";
import { cardanoUnits } from "../../support/query-cardano.ts";
import { type Debit, itself, type Output, type TruthBlock } from "../best-chain.ts";
import type { OpenTruth } from "./chaos-chain.ts";

type Value = Readonly<Record<string, Readonly<Record<string, number>>>>;
type Executed = {
  readonly id: string;
  readonly inputs: readonly {
    readonly transaction: { readonly id: string };
    readonly index: number;
  }[];
  readonly outputs: readonly { readonly address: string; readonly value: Value }[];
  readonly fee: Value;
};
type Printed = {
  readonly id: string;
  readonly slot: number;
  readonly height: number;
  readonly ancestor: string;
  readonly transactions?: readonly Executed[];
};
type Point = { readonly slot: number; readonly id: string };
type Step =
  | { readonly direction: "forward"; readonly block: Printed; readonly tip: Point }
  | { readonly direction: "backward"; readonly point: Point | "origin"; readonly tip: Point };

const answerPatienceMs = 20_000;

/** The blocks of Ogmios's chain synchronization, followed from the first one. A block's hash is its slot and id. */
export function cardanoTruth(site: CardanoSite, coin: string): OpenTruth {
  const chain: Printed[] = [];
  /** Every output that ever was, on whatever branch. */
  const known = new Map<string, Output>();

  /** Takes steps until the node has no more. */
  const follow = (): Promise<void> =>
    converse(site, async (ask) => {
      const points = chain.slice(-50).reverse().map(pointOf);
      const { intersection } = (await ask("findIntersection", {
        points: [...points, "origin"],
      })) as { readonly intersection: Point | "origin" };
      cutTo(chain, intersection);
      for (;;) {
        const tip = (await ask("queryNetwork/tip")) as Point | "origin";
        if (tip === "origin" || chain.at(-1)?.id === tip.id) return;
        const step = (await ask("nextBlock")) as Step;
        if (step.direction === "backward") {
          cutTo(chain, step.point);
          continue;
        }
        chain.push(step.block);
        for (const transaction of step.block.transactions ?? [])
          for (const output of outputsOf(transaction, coin))
            known.set(`${output.txid}:${output.vout}`, output);
      }
    });

  const printedAt = (height: number): Printed | undefined =>
    chain[height - (chain[0]?.height ?? 0)];
  return {
    firstHeight: 0,
    holderOf: itself,
    numbersOutputs: true,
    mayContradictItself: false,
    tipHeight: async () => {
      await follow();
      return present(chain.at(-1), "a block").height;
    },
    hashAt: (height) => {
      const block = printedAt(height);
      return Promise.resolve(block === undefined ? null : hashOf(block));
    },
    blockAt: (height) => {
      const block = present(printedAt(height), `block ${height}`);
      const parent = printedAt(height - 1);
      return Promise.resolve(truthOf(block, parent, known, coin));
    },
    waiting: () =>
      converse(site, async (ask) => {
        await ask("acquireMempool");
        const ids = new Set<string>();
        for (;;) {
          const { transaction } = (await ask("nextTransaction")) as {
            readonly transaction: { readonly id: string } | null;
          };
          if (transaction === null) return ids;
          ids.add(transaction.id);
        }
      }),
    holdings: (addresses) => cardanoUnits(site, addresses),
    close: () => Promise.resolve(),
  };
}

type Ask = (method: string, params?: object) => Promise<unknown>;

/** A session with Ogmios, one question after the other. */
async function converse<Result>(
  { ogmios_url }: CardanoSite,
  work: (ask: Ask) => Promise<Result>,
): Promise<Result> {
  const socket = new WebSocket(ogmios_url.replace(/^http/, "ws"));
  const signal = AbortSignal.timeout(answerPatienceMs);
  try {
    await once(socket, "open", { signal });
    return await work(async (method, params = {}) => {
      socket.send(JSON.stringify({ jsonrpc: "2.0", method, params }));
      const [data] = (await once(socket, "message", { signal })) as [Buffer];
      const answer = JSON.parse(data.toString()) as { result?: unknown; error?: object };
      if (answer.error !== undefined) throw new Error(`${method}: ${JSON.stringify(answer.error)}`);
      return answer.result;
    });
  } finally {
    socket.terminate();
  }
}

function pointOf({ id, slot }: Printed): Point {
  return { slot, id };
}

function hashOf({ id, slot }: Point): string {
  return `${slot}.${id}`;
}

function cutTo(chain: Printed[], point: Point | "origin"): void {
  while (chain.length > 0 && (point === "origin" || chain.at(-1)?.id !== point.id)) chain.pop();
}

function lovelaceOf({ ada }: Value): bigint {
  return BigInt(ada?.["lovelace"] ?? 0);
}

function outputsOf({ id, outputs }: Executed, coin: string): readonly Output[] {
  return outputs.map(({ address, value }, vout) => ({
    txid: id,
    vout,
    address,
    currency: coin,
    units: lovelaceOf(value),
  }));
}

function truthOf(
  block: Printed,
  parent: Printed | undefined,
  known: ReadonlyMap<string, Output>,
  coin: string,
): TruthBlock {
  const { height, transactions = [] } = block;
  const debits: Debit[] = transactions.flatMap(({ id, inputs }) =>
    inputs.flatMap(({ index, transaction }) => {
      // What there is before the first block is nobody's of ours.
      const spent = known.get(`${transaction.id}:${index}`);
      if (spent === undefined) return [];
      const { address, currency, units } = spent;
      return [{ txid: id, address, currency, units }];
    }),
  );
  return {
    height,
    hash: hashOf(block),
    parentHash: parent === undefined ? block.ancestor : hashOf(parent),
    outputs: transactions.flatMap((one) => outputsOf(one, coin)),
    debits,
    burnt: new Map(transactions.map(({ fee, id }) => [id, lovelaceOf(fee)])),
  };
}
