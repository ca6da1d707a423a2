import { join } from "node:path";
import { Address } from "@ton/core";
import { findCoin } from "../../../src/currencies/coins.ts";
import { openFaucet } from "../../../src/main/families/sandbox-families.ts";
import { present } from "../../../src/platform/kernel/assert.ts";
import type { JsonObject } from "../../../src/platform/kernel/json.ts";
import { silentLogger } from "../../../src/platform/kernel/logger.ts";
import { systemClock } from "../../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../../src/platform/kernel/system-random.ts";
import type { TonSite } from "../../../src/sandbox/sandbox-file.ts";
import { quietPort } from "../../scenarios/support/quiet-port.ts";
import { postTo } from "../../support/query-tron.ts";
import { tonSiteAt } from "../../support/ton-site.ts";
import { partsOf } from "../place.ts";
import type { Choices } from "../seeded-choices.ts";
import type { ChaosChain, OpenChainControl } from "./chaos-chain.ts";
import { ledgerPart } from "./ledger-part.ts";
import { hexOf, tonTruth } from "./ton-truth.ts";

const world = { clock: systemClock, random: systemRandom, logger: silentLogger };
const blockMs = 1_000;
/** A payment is delivered some blocks after it was sent. */
const deliveredAfter = 6;

/** A TON network on the simulated node, which has lost what waited after a kill. Messages live for an hour, so none expires in a run. */
export async function tonChaosChain(chain: string, home: string): Promise<ChaosChain> {
  const port = await quietPort();
  const site = tonSiteAt(port);
  const program = join(import.meta.dirname, "ton-process.ts");
  return {
    chain,
    part: ledgerPart({
      name: "ton",
      command: [program, join(home, "ton"), String(port)],
      lose: () => () => Promise.resolve(),
    }),
    prepare: () => Promise.resolve(site),
    // Masterchain blocks survive a kill.
    keep: () => Promise.resolve(),
    openControl: () => tonControl(chain, site),
    openTruth: () => tonTruth(site, present(findCoin(chain), chain).coin.id),
    newAddress: () =>
      new Address(0, Buffer.from(systemRandom.bytes(32))).toString({
        bounceable: false,
        testOnly: true,
      }),
    pace: { blockMs, reorgChance: 0, faultChance: 0.05 },
  };
}

async function command({ sandbox_url }: TonSite, path: string, body: JsonObject): Promise<void> {
  await postTo(sandbox_url, path, body);
}

function tonControl(chain: string, site: TonSite): OpenChainControl {
  const faucet = openFaucet(chain, site, world);
  const mine = (): Promise<void> => command(site, "/mine", { blocks: 1 });
  /** A deposit is known by the transaction that receives it. */
  const receiverOf = async (txid: string): Promise<string | null> => {
    const hash = encodeURIComponent(Buffer.from(txid, "hex").toString("base64"));
    const answer = await fetch(`${site.v3_url}/adjacentTransactions?hash=${hash}&direction=out`);
    if (!answer.ok) return null;
    const { transactions } = (await answer.json()) as {
      readonly transactions: readonly { readonly hash: string }[];
    };
    const [received] = transactions;
    return received === undefined ? null : hexOf(received.hash);
  };
  const delivered = async (sent: string): Promise<string> => {
    for (let block = 0; block < deliveredAfter; block += 1) {
      const received = await receiverOf(sent);
      if (received !== null) return received;
      await mine();
    }
    throw new Error(`${sent} was not delivered`);
  };
  return {
    payableAtOnce: 10,
    pay: async (intents) => {
      const sent: string[] = [];
      // Each makes a block, in which the one before may arrive.
      for (const { address: place, alpha, amount } of intents) {
        const { address, tag } = partsOf(place);
        sent.push(await faucet.pay(alpha, address, amount, tag));
      }
      const received: string[] = [];
      for (const one of sent) received.push(await delivered(one));
      return received;
    },
    // What a node forgot has a number that a later payment of the faucet uses.
    payAgain: () => Promise.resolve(false),
    mine,
    finalAfter: deliveredAfter,
    reorgDepthMax: 0,
    reorg: () => Promise.reject(new Error("masterchain blocks are final")),
    misbehave: async (choices) => {
      await choices.pick([loseSome, loseWaiting])(site, choices);
    },
    close: faucet.close,
  };
}

type Mishap = (site: TonSite, choices: Choices) => Promise<void>;

/** The node answers that it has the next messages, and forgets them. */
const loseSome: Mishap = (site, choices) =>
  command(site, "/swallow-broadcasts", { count: choices.integer(1, 5) });

/** No validator has received what waits. */
const loseWaiting: Mishap = (site) => command(site, "/drop-waiting", {});
