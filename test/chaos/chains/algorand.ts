import { join } from "node:path";
import algosdk from "algosdk";
import { builtInCurrencies } from "../../../src/currencies/built-in-currencies.ts";
import { findCoin } from "../../../src/currencies/coins.ts";
import { openFaucet } from "../../../src/main/families/sandbox-families.ts";
import { present } from "../../../src/platform/kernel/assert.ts";
import type { JsonObject } from "../../../src/platform/kernel/json.ts";
import { silentLogger } from "../../../src/platform/kernel/logger.ts";
import { systemClock } from "../../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../../src/platform/kernel/system-random.ts";
import { assets, faucetMnemonic, network } from "../../../src/sandbox/algorand/genesis.ts";
import type { AlgorandSite } from "../../../src/sandbox/sandbox-file.ts";
import { quietPort } from "../../scenarios/support/quiet-port.ts";
import { postTo } from "../../support/query-tron.ts";
import type { Choices } from "../seeded-choices.ts";
import { algorandTruth } from "./algorand-truth.ts";
import type { ChaosChain, OpenChainControl } from "./chaos-chain.ts";
import { ledgerPart } from "./ledger-part.ts";

const world = { clock: systemClock, random: systemRandom, logger: silentLogger };
const blockMs = 700;
/** Our transactions are valid for 200 rounds. */
const expiryRounds = 202;
const allBroadcasts = 1_000_000_000;

/** An Algorand network on the simulated node, which has lost its pool after a kill. */
export async function algorandChaosChain(chain: string, home: string): Promise<ChaosChain> {
  const port = await quietPort();
  const url = `http://127.0.0.1:${port}`;
  const site: AlgorandSite = {
    family: "algorand",
    simulated: true,
    rpc_url: url,
    rpc_token: "a".repeat(64),
    sandbox_url: `${url}/sandbox`,
    faucet_mnemonic: faucetMnemonic,
    genesis_hash: Buffer.from(network.genesisHash).toString("base64"),
    tokens: Object.fromEntries(Object.entries(assets).map(([alpha, id]) => [alpha, String(id)])),
  };
  const listed = Object.entries(site.tokens).map(([alpha, asset]) => {
    const token = builtInCurrencies.find((currency) => currency.alpha === alpha);
    return [asset, present(token, alpha).id] as const;
  });
  return {
    chain,
    part: ledgerPart({
      name: "algorand",
      command: [
        join(import.meta.dirname, "algorand-process.ts"),
        join(home, "algorand"),
        String(port),
      ],
      lose: () => () => Promise.resolve(),
    }),
    prepare: () => Promise.resolve(site),
    // Blocks survive a kill.
    keep: () => Promise.resolve(),
    openControl: () => algorandControl(chain, site),
    openTruth: () =>
      algorandTruth(site, {
        coin: present(findCoin(chain), chain).coin.id,
        tokens: new Map(listed),
      }),
    newAddress: () => algosdk.generateAccount().addr.toString(),
    pace: { blockMs, reorgChance: 0, faultChance: 0.05 },
  };
}

async function command(
  { sandbox_url }: AlgorandSite,
  path: string,
  body: JsonObject,
): Promise<void> {
  await postTo(sandbox_url, path, body);
}

/** algosdk's client of the node. */
export function algodClient({ rpc_token, rpc_url }: AlgorandSite): algosdk.Algodv2 {
  const { origin, port } = new URL(rpc_url);
  return new algosdk.Algodv2(rpc_token, origin.replace(/:\d+$/, ""), port);
}

function algorandControl(chain: string, site: AlgorandSite): OpenChainControl {
  const faucet = openFaucet(chain, site, world);
  const client = algodClient(site);
  const signed = new Map<string, Uint8Array>();
  const mine = (): Promise<void> => command(site, "/mine", { blocks: 1 });
  return {
    payableAtOnce: 1,
    pay: async ([intent]) => {
      const txid = await faucet.pay(intent!.alpha, intent!.address, intent!.amount);
      // Absent if the node swallowed it.
      const known = await client
        .pendingTransactionInformation(txid)
        .do()
        .catch(() => null);
      if (known !== null) signed.set(txid, algosdk.encodeMsgpack(known.txn));
      return [txid];
    },
    payAgain: async (txid) => {
      const raw = signed.get(txid);
      if (raw === undefined) return false;
      return await client
        .sendRawTransaction(raw)
        .do()
        .then(
          () => true,
          () => false,
        );
    },
    mine,
    finalAfter: 1,
    reorgDepthMax: 0,
    reorg: () => Promise.reject(new Error("blocks are final")),
    misbehave: async (choices) => {
      await choices.pick([loseSome, losePool, loseUntilExpiry])(site, choices, mine);
    },
    close: faucet.close,
  };
}

type Mishap = (site: AlgorandSite, choices: Choices, mine: () => Promise<void>) => Promise<void>;

/** The node answers that it has the next transactions, and forgets them. */
const loseSome: Mishap = (site, choices) =>
  command(site, "/swallow-broadcasts", { count: choices.integer(1, 5) });

/** No other node has received what is in the pool. */
const losePool: Mishap = (site) => command(site, "/evict", {});

/** Everything that is sent for a while is lost, and has expired when the node takes transactions again. */
const loseUntilExpiry: Mishap = async (site, choices, mine) => {
  await command(site, "/swallow-broadcasts", { count: allBroadcasts });
  for (let block = choices.integer(3, 10); block > 0; block -= 1) {
    await systemClock.sleep(blockMs);
    await mine();
  }
  await command(site, "/mine", { blocks: expiryRounds });
  await command(site, "/swallow-broadcasts", { count: 0 });
};
