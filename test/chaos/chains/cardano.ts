import { join } from "node:path";
import csl from "@emurgo/cardano-serialization-lib-nodejs";
import { findCoin } from "../../../src/currencies/coins.ts";
import { openFaucet } from "../../../src/main/families/sandbox-families.ts";
import { present } from "../../../src/platform/kernel/assert.ts";
import type { JsonObject } from "../../../src/platform/kernel/json.ts";
import { silentLogger } from "../../../src/platform/kernel/logger.ts";
import { systemClock } from "../../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../../src/platform/kernel/system-random.ts";
import { faucetPrivateKey, networkMagic } from "../../../src/sandbox/cardano/genesis.ts";
import type { CardanoSite } from "../../../src/sandbox/sandbox-file.ts";
import { quietPort } from "../../scenarios/support/quiet-port.ts";
import { addressOfKey } from "../../support/private-cardano.ts";
import { postTo } from "../../support/query-tron.ts";
import type { Choices } from "../seeded-choices.ts";
import { cardanoTruth } from "./cardano-truth.ts";
import type { ChaosChain, OpenChainControl } from "./chaos-chain.ts";
import { ledgerPart } from "./ledger-part.ts";

const world = { clock: systemClock, random: systemRandom, logger: silentLogger };
const blockMs = 1_000;
/** Our transactions are valid for two hours of one slot a second. */
const expirySlots = 7_300;
/** The signer signs nothing that is valid for more than a day from its own time. */
const expiriesMax = 8;
const allBroadcasts = 1_000_000_000;

/** A Cardano network on the simulated node, which has lost its mempool after a kill. */
export async function cardanoChaosChain(chain: string, home: string): Promise<ChaosChain> {
  const port = await quietPort();
  const url = `http://127.0.0.1:${port}`;
  const site: CardanoSite = {
    family: "cardano",
    simulated: true,
    rpc_url: url,
    ogmios_url: url,
    kupo_url: `${url}/kupo`,
    sandbox_url: `${url}/sandbox`,
    faucet_private_key: faucetPrivateKey,
    network_magic: networkMagic,
  };
  return {
    chain,
    part: ledgerPart({
      name: "cardano",
      command: [
        join(import.meta.dirname, "cardano-process.ts"),
        join(home, "cardano"),
        String(port),
      ],
      lose: () => () => Promise.resolve(),
    }),
    prepare: () => Promise.resolve(site),
    // Blocks survive a kill.
    keep: () => Promise.resolve(),
    openControl: () => cardanoControl(chain, site),
    openTruth: () => cardanoTruth(site, present(findCoin(chain), chain).coin.id),
    newAddress: () => addressOfKey(csl.PrivateKey.generate_ed25519()),
    pace: { blockMs, reorgChance: 0.05, faultChance: 0.04 },
  };
}

async function command(
  { sandbox_url }: CardanoSite,
  path: string,
  body: JsonObject,
): Promise<void> {
  await postTo(sandbox_url, path, body);
}

function cardanoControl(chain: string, site: CardanoSite): OpenChainControl {
  const faucet = openFaucet(chain, site, world);
  const mine = (): Promise<void> => command(site, "/mine", { blocks: 1 });
  let expiries = 0;
  return {
    payableAtOnce: 1,
    pay: async ([intent]) => [await faucet.pay(intent!.alpha, intent!.address, intent!.amount)],
    // Another payment is sent instead.
    payAgain: () => Promise.resolve(false),
    mine,
    finalAfter: 1,
    reorgDepthMax: 4,
    reorg: async (depth, transactions) => {
      await faucet.reorg(depth, transactions);
    },
    misbehave: async (choices) => {
      const mishap = choices.pick([loseSome, losePool, loseBlocks, loseUntilExpiry]);
      if (mishap === loseUntilExpiry && (expiries += 1) > expiriesMax) return;
      await mishap(site, choices, mine);
    },
    close: faucet.close,
  };
}

type Mishap = (site: CardanoSite, choices: Choices, mine: () => Promise<void>) => Promise<void>;

/** The node answers that it has the next transactions, and forgets them. */
const loseSome: Mishap = (site, choices) =>
  command(site, "/swallow-broadcasts", { count: choices.integer(1, 5) });

/** No other node has received what is in the mempool. */
const losePool: Mishap = (site) => command(site, "/evict", {});

/** Another branch wins, with none of the transactions of the blocks that it replaces. */
const loseBlocks: Mishap = (site, choices) =>
  command(site, "/reorg", { depth: choices.integer(1, 4), transactions: "drop" });

/** Everything that is sent for a while is lost, and has expired when the node takes transactions again. */
const loseUntilExpiry: Mishap = async (site, choices, mine) => {
  await command(site, "/swallow-broadcasts", { count: allBroadcasts });
  for (let block = choices.integer(3, 10); block > 0; block -= 1) {
    await systemClock.sleep(blockMs);
    await mine();
  }
  await command(site, "/mine", { blocks: 1, slots: expirySlots });
  await command(site, "/mine", { blocks: 3 });
  await command(site, "/swallow-broadcasts", { count: 0 });
};
