import { errorMessage } from "../../src/platform/kernel/error-message.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { BestChain, type TruthReader } from "./best-chain.ts";
import type { Choices } from "./seeded-choices.ts";

/** A payment that has to arrive, whatever happens to the nodes. */
export type Intent = {
  readonly depositId: string;
  readonly address: string;
  readonly alpha: string;
  /** Decimal. */
  readonly amount: string;
  /** All transactions sent for it: if a node forgot one, another is sent. */
  readonly txids: string[];
  /** When it is (or was last) to be sent, in microseconds. */
  sendAt: number;
};

/** Acts on a chain from outside. Every method rejects while the node is down. */
export type ChainControl = {
  /** Sends one transaction each, or several payments in one if the chain can; resolves with each intent's transaction id. */
  readonly pay: (intents: readonly Intent[]) => Promise<readonly string[]>;
  /** Sends the same transaction again; false if the node does not accept it. */
  readonly payAgain: (txid: string) => Promise<boolean>;
  readonly mine: () => Promise<void>;
  /** How many blocks it takes until the service sees a transaction as included: more than one where newer blocks are not final. */
  readonly finalAfter: number;
  readonly reorgDepthMax: number;
  readonly reorg: (depth: number, transactions: "wait" | "include") => Promise<void>;
  /** What the network does besides reorgs, such as losing what was broadcast; null if it does nothing else. */
  readonly misbehave: ((choices: Choices) => Promise<void>) | null;
  readonly payableAtOnce: number;
};

export type Pace = {
  readonly blockMs: number;
  /** Per block. */
  readonly reorgChance: number;
  /** Of `misbehave`, per block. */
  readonly faultChance: number;
};

const patienceMicros = 3_000_000;

/**
 * The payers and miners of one chain: pay what is due, mine, reorganize now and then, and send forgotten payments again, as
 * wallets do.
 */
export class ChainActor {
  readonly chain: string;
  readonly best: BestChain;
  readonly intents: Intent[] = [];
  readonly #hands: ChainControl;
  readonly #reader: TruthReader;
  readonly #choices: Choices;
  readonly counts = { blocks: 0, reorgs: 0, faults: 0, paid: 0, sentAgain: 0 };
  /** Why the node did not do something, and how often. */
  readonly refusals = new Map<string, number>();

  constructor(chain: string, control: ChainControl, reader: TruthReader, choices: Choices) {
    this.chain = chain;
    this.#hands = control;
    this.#reader = reader;
    this.#choices = choices;
    this.best = new BestChain(reader);
  }

  /** Serialized, so that the load itself causes no races; kills interrupt it anyway. */
  async run(pace: Pace, signal: AbortSignal): Promise<void> {
    let nextBlockAt = 0;
    while (!signal.aborted) {
      await this.#attempt(() => this.payDue());
      // Whatever a node refuses, the network makes blocks.
      await this.#attempt(async () => {
        if (systemClock.now() < nextBlockAt) return;
        await this.#block(pace);
        nextBlockAt = systemClock.now() + pace.blockMs * 1_000;
        await this.sendForgotten();
      });
      await systemClock.sleep(50, signal);
    }
  }

  async payDue(): Promise<void> {
    const due = this.intents.filter(
      ({ txids, sendAt }) => txids.length === 0 && sendAt <= systemClock.now(),
    );
    // A transaction names each address once.
    const distinct = new Map(due.map((intent) => [intent.address, intent]));
    const together = [...distinct.values()].slice(0, this.#hands.payableAtOnce);
    if (together.length > 0) await this.#pay(together);
  }

  async mine(): Promise<void> {
    await this.#hands.mine();
    this.counts.blocks += 1;
  }

  /** Mines until what is in the pool is final. */
  async mineFinal(): Promise<void> {
    for (let block = 0; block < this.#hands.finalAfter; block += 1) await this.mine();
  }

  /** Every payment that is neither in the best chain nor pending is sent again. */
  async sendForgotten(): Promise<void> {
    // In this order: what moves from the mempool into a block in between is found in one of the two.
    const waiting = await this.#reader.waiting();
    await this.best.update();
    const patientUntil = systemClock.now() - patienceMicros;
    for (const intent of this.intents) {
      const { txids, sendAt } = intent;
      const isKnown = txids.some((txid) => waiting.has(txid) || this.best.heightOf(txid) !== null);
      if (txids.length === 0 || isKnown || sendAt > patientUntil) continue;
      this.counts.sentAgain += 1;
      if (this.#choices.chance(0.5) && (await this.#hands.payAgain(txids.at(-1)!))) {
        intent.sendAt = systemClock.now();
      } else await this.#pay([intent]);
    }
  }

  /** Intents that no block of the best chain contains deep enough to count. */
  unconfirmed(depth: number): readonly Intent[] {
    return this.intents.filter(
      ({ txids }) =>
        !txids.some((txid) => {
          const height = this.best.heightOf(txid);
          return height !== null && this.best.height - height + 1 >= depth;
        }),
    );
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const reason = errorMessage(error);
      this.refusals.set(reason, (this.refusals.get(reason) ?? 0) + 1);
    }
  }

  async #pay(intents: readonly Intent[]): Promise<void> {
    const ids = await this.#hands.pay(intents);
    intents.forEach((intent, index) => {
      intent.txids.push(ids[index]!);
      intent.sendAt = systemClock.now();
    });
    this.counts.paid += intents.length;
  }

  async #block({ reorgChance, faultChance }: Pace): Promise<void> {
    const { misbehave, reorg, reorgDepthMax } = this.#hands;
    if (misbehave !== null && this.#choices.chance(faultChance)) {
      await misbehave(this.#choices);
      this.counts.faults += 1;
    }
    if (!this.#choices.chance(reorgChance)) {
      await this.mine();
      return;
    }
    const depth = this.#choices.integer(1, reorgDepthMax);
    await reorg(depth, this.#choices.pick(["wait", "include"] as const));
    this.counts.reorgs += 1;
  }
}
