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
  readonly reorg: (depth: number, transactions: "wait" | "include") => Promise<void>;
  readonly payableAtOnce: number;
};

const patienceMicros = 3_000_000;
const reorgDepthMax = 4;

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
  readonly counts = { blocks: 0, reorgs: 0, paid: 0, sentAgain: 0, refused: 0 };

  constructor(chain: string, control: ChainControl, reader: TruthReader, choices: Choices) {
    this.chain = chain;
    this.#hands = control;
    this.#reader = reader;
    this.#choices = choices;
    this.best = new BestChain(reader);
  }

  /** Serialized, so that the load itself causes no races; kills interrupt it anyway. */
  async run(
    settings: { readonly blockMs: number; readonly reorgChance: number },
    signal: AbortSignal,
  ): Promise<void> {
    let nextBlockAt = 0;
    while (!signal.aborted) {
      try {
        await this.payDue();
        if (systemClock.now() >= nextBlockAt) {
          await this.#block(settings.reorgChance);
          nextBlockAt = systemClock.now() + settings.blockMs * 1_000;
          await this.sendForgotten();
        }
      } catch {
        this.counts.refused += 1;
      }
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

  async #pay(intents: readonly Intent[]): Promise<void> {
    const ids = await this.#hands.pay(intents);
    intents.forEach((intent, index) => {
      intent.txids.push(ids[index]!);
      intent.sendAt = systemClock.now();
    });
    this.counts.paid += intents.length;
  }

  async #block(reorgChance: number): Promise<void> {
    if (!this.#choices.chance(reorgChance)) {
      await this.mine();
      return;
    }
    const depth = this.#choices.integer(1, reorgDepthMax);
    await this.#hands.reorg(depth, this.#choices.pick(["wait", "include"] as const));
    this.counts.reorgs += 1;
  }
}
