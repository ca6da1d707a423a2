import { join } from "node:path";
import { builtInCurrencies } from "../../../src/currencies/built-in-currencies.ts";
import { findCoin } from "../../../src/currencies/coins.ts";
import { openFaucet } from "../../../src/main/families/sandbox-families.ts";
import { present } from "../../../src/platform/kernel/assert.ts";
import type { JsonObject } from "../../../src/platform/kernel/json.ts";
import { silentLogger } from "../../../src/platform/kernel/logger.ts";
import { systemClock } from "../../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../../src/platform/kernel/system-random.ts";
import type { TronSite } from "../../../src/sandbox/sandbox-file.ts";
import { fromEvm, toBase58 } from "../../../src/sandbox/tron/address.ts";
import { faucetPrivateKey, tokenAddresses } from "../../../src/sandbox/tron/genesis.ts";
import { quietPort } from "../../scenarios/support/quiet-port.ts";
import { postTo } from "../../support/query-tron.ts";
import type { Part } from "../part.ts";
import type { Choices } from "../seeded-choices.ts";
import type { ChaosChain, OpenChainControl } from "./chaos-chain.ts";
import { ledgerPart } from "./ledger-part.ts";
import { tronTruth } from "./tron-truth.ts";

const world = { clock: systemClock, random: systemRandom, logger: silentLogger };
/** Of the blocks above the solid one, which only a fork replaces. */
const lossDepthMax = 8;
/** Faster than the three seconds of a public network, so that blocks become solid in seconds. */
const blockMs = 400;
/** Our transactions are valid for ten minutes. */
const expiryMs = 620_000;
/** The signer signs nothing that expires an hour from its own time. */
const aheadMsMax = 2_100_000;
const untilSolid = 21;
const allBroadcasts = 1_000_000_000;

/** A TRON chain on the simulated ledger. */
export async function tronChaosChain(chain: string, home: string): Promise<ChaosChain> {
  const port = await quietPort();
  const url = `http://127.0.0.1:${port}`;
  const site: TronSite = {
    family: "tron",
    simulated: true,
    rpc_url: url,
    sandbox_url: `${url}/sandbox`,
    faucet_private_key: faucetPrivateKey,
    tokens: tokenAddresses,
  };
  return {
    chain,
    part: tronNodePart(join(home, "tron"), site, port),
    prepare: () => Promise.resolve(site),
    // A killed ledger keeps all solid blocks.
    keep: () => commandLedger(site, "/mine", { blocks: untilSolid }).then(() => undefined),
    openControl: () => tronControl(chain, site),
    openTruth: () => {
      const listed = Object.entries(site.tokens).map(([alpha, contract]) => {
        const token = builtInCurrencies.find((currency) => currency.alpha === alpha);
        return [contract, present(token, alpha).id] as const;
      });
      return tronTruth(url, {
        coin: present(findCoin(chain), chain).coin.id,
        tokens: new Map(listed),
      });
    },
    newAddress: () => toBase58(fromEvm(`0x${Buffer.from(systemRandom.bytes(20)).toString("hex")}`)),
    pace: { blockMs, reorgChance: 0.03, faultChance: 0.02 },
  };
}

type Tip = { readonly number: number; readonly solid: number };

function commandLedger({ sandbox_url }: TronSite, path: string, body: JsonObject): Promise<Tip> {
  return postTo(sandbox_url, path, body) as unknown as Promise<Tip>;
}

/**
 * A killed ledger has lost its pool. It comes back on a fork above the solid block, as a node does that had not written its newest
 * blocks while the network continued on others.
 */
function tronNodePart(folder: string, site: TronSite, port: number): Part {
  return ledgerPart({
    name: "tron",
    command: [join(import.meta.dirname, "tron-process.ts"), folder, String(port)],
    lose: (choices) => {
      const blocks = choices.integer(0, lossDepthMax);
      return () => dropBlocks(site, blocks);
    },
  });
}

/** Drops the newest blocks with their transactions, above the solid one at most. */
async function dropBlocks(site: TronSite, blocks: number): Promise<void> {
  const depth = Math.min(blocks, await blocksAboveSolid(site));
  if (depth > 0) await commandLedger(site, "/reorg", { depth, transactions: "drop" });
}

async function blocksAboveSolid({ rpc_url }: TronSite): Promise<number> {
  const [head, solid] = await Promise.all([
    newestBlock(rpc_url, "wallet"),
    newestBlock(rpc_url, "walletsolidity"),
  ]);
  return head.number - solid.number;
}

type Header = { readonly number: number; readonly timestamp: number };

async function newestBlock(url: string, view: "wallet" | "walletsolidity"): Promise<Header> {
  const { block_header } = (await postTo(url, `/${view}/getblock`, {})) as unknown as {
    readonly block_header: { readonly raw_data: Partial<Header> & Pick<Header, "timestamp"> };
  };
  return { number: 0, ...block_header.raw_data };
}

function tronControl(chain: string, site: TronSite): OpenChainControl {
  const { rpc_url } = site;
  const faucet = openFaucet(chain, site, world);
  const signed = new Map<string, JsonObject>();
  /** While mined blocks are ahead of the clock, one comes right after the other in the chain's time. */
  const mine = async (): Promise<void> => {
    await commandLedger(site, "/mine", { blocks: 1, spacing: 1 });
  };
  return {
    payableAtOnce: 1,
    pay: async ([intent]) => {
      const txid = await faucet.pay(intent!.alpha, intent!.address, intent!.amount);
      // Nothing if the node swallowed it.
      const sent = await postTo(rpc_url, "/wallet/gettransactionfrompending", { value: txid });
      if ("txID" in sent) signed.set(txid, sent);
      return [txid];
    },
    payAgain: async (txid) => {
      const transaction = signed.get(txid);
      if (transaction === undefined) return false;
      const { result } = await postTo(rpc_url, "/wallet/broadcasttransaction", transaction);
      return result === true;
    },
    mine,
    finalAfter: untilSolid,
    reorgDepthMax: 12,
    reorg: async (most, transactions) => {
      const depth = Math.min(most, await blocksAboveSolid(site));
      if (depth === 0) return;
      await commandLedger(site, "/reorg", { depth, transactions: "return" });
      if (transactions === "include")
        await commandLedger(site, "/mine", { blocks: depth, spacing: 1 });
    },
    misbehave: async (choices) => {
      const lose = choices.pick([loseSome, loseBlocks, loseUntilExpiry]);
      await lose(site, choices, mine);
    },
    close: faucet.close,
  };
}

type Mishap = (site: TronSite, choices: Choices, mine: () => Promise<void>) => Promise<void>;

/** The node answers that it has the next transactions, and forgets them. */
const loseSome: Mishap = async (site, choices) => {
  await commandLedger(site, "/swallow-broadcasts", { count: choices.integer(1, 5) });
};

/** A fork that contains none of the transactions of the blocks that it replaces. */
const loseBlocks: Mishap = (site, choices) => dropBlocks(site, choices.integer(1, 15));

/** Everything that is sent for a while is lost, and has expired when the node takes transactions again. */
const loseUntilExpiry: Mishap = async (site, choices, mine) => {
  const { timestamp } = await newestBlock(site.rpc_url, "wallet");
  if (timestamp > Date.now() + aheadMsMax - expiryMs) return;
  await commandLedger(site, "/swallow-broadcasts", { count: allBroadcasts });
  for (let block = choices.integer(8, 25); block > 0; block -= 1) {
    await systemClock.sleep(blockMs);
    await mine();
  }
  await commandLedger(site, "/mine", { blocks: 1, spacing: expiryMs });
  await commandLedger(site, "/mine", { blocks: untilSolid, spacing: 1 });
  await commandLedger(site, "/swallow-broadcasts", { count: 0 });
};
