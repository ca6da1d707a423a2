import { Address, beginCell, Cell } from "@ton/core";
import { encodeFunctionData } from "viem/utils";
import { tronAddressBytes } from "../../../src/currencies/tron-address.ts";
import { classicAddress, readXAddress } from "../../../src/currencies/xrpl-address.ts";
import { present } from "../../../src/platform/kernel/assert.ts";
import type {
  AlgorandSite,
  StellarSite,
  TonSite,
  TronSite,
  XrplSite,
} from "../../../src/sandbox/sandbox-file.ts";
import { utxoChain } from "../../support/known-chains.ts";
import { queryAlgod } from "../../support/query-algod.ts";
import { cardanoUnits } from "../../support/query-cardano.ts";
import { queryTon } from "../../support/query-ton.ts";
import { queryTron } from "../../support/query-tron.ts";
import { queryXrpl } from "../../support/query-xrpl.ts";
import { type ChainControl, signal } from "./chain-control.ts";
import { moneroUnits } from "./monero-units.ts";
import { unitsOf } from "./money.ts";

/* Reads the nodes directly, without the service's own readers. */

/** The balance of addresses in blocks, smallest units; on account chains as of a block, by default the newest. */
export async function unitsAt(
  control: ChainControl,
  alpha: string,
  addresses: readonly string[],
  height: number | null = null,
): Promise<bigint> {
  const { site } = control;
  if (site.family === "utxo") {
    const { balances } = utxoChain(alpha);
    if (balances === "none") return unitsInBlocks(control, alpha, addresses);
    if (balances === "index") {
      const { balance } = await control.node.command<{ balance: number }>("getaddressbalance", [
        { addresses },
      ]);
      return BigInt(balance);
    }
    const { unspents } = await control.node.command<{
      readonly unspents: readonly {
        readonly amount: string | number;
        readonly tokenData?: object;
      }[];
    }>("scantxoutset", ["start", addresses.map((address) => `addr(${address})`)]);
    // What lies with tokens is not ours to count: no payment of ours can spend it.
    return unspents
      .filter(({ tokenData }) => tokenData === undefined)
      .reduce((sum, { amount }) => sum + unitsOf(String(amount), alpha), 0n);
  }
  // Solid balances: java-tron does not answer for older blocks.
  if (site.family === "tron") return tronUnits(site, site.tokens[alpha] ?? null, addresses);
  if (site.family === "xrpl") return xrplUnits(site, addresses, height);
  // Balances of the newest ledger: Horizon does not answer for older ones.
  if (site.family === "stellar") return stellarUnits(site, alpha, addresses);
  if (site.family === "algorand") return algorandUnits(site, site.tokens[alpha] ?? null, addresses);
  if (site.family === "cardano") return cardanoUnits(site, addresses);
  if (site.family === "ton") return tonUnits(site, site.tokens[alpha] ?? null, addresses, height);
  if (site.family === "monero") return moneroUnits(site, control.sql);
  const at = height === null ? "latest" : `0x${height.toString(16)}`;
  const token = site.tokens[alpha];
  const ask = (address: string): Promise<string> =>
    token === undefined
      ? control.rpc.call<string>("eth_getBalance", [address, at], signal)
      : control.rpc.call<string>("eth_call", [{ to: token, data: balanceOf(address) }, at], signal);
  const balances = await Promise.all(addresses.map(ask));
  return balances.reduce((sum, balance) => sum + BigInt(balance), 0n);
}

/** Adds up what all blocks paid to the addresses and spent again. */
async function unitsInBlocks(
  { node }: ChainControl,
  alpha: string,
  addresses: readonly string[],
): Promise<bigint> {
  type Listed = {
    readonly txid: string;
    readonly vin: readonly { readonly txid?: string; readonly vout?: number }[];
    readonly vout: readonly {
      readonly n: number;
      readonly value: string | number;
      readonly scriptPubKey: { readonly addresses?: readonly string[] };
    }[];
  };
  const own = new Set(addresses);
  const unspent = new Map<string, bigint>();
  const tip = await node.command<number>("getblockcount");
  for (let height = 1; height <= tip; height += 1) {
    const hash = await node.command<string>("getblockhash", [height]);
    const { tx } = await node.command<{ readonly tx: readonly Listed[] }>("getblock", [hash, 2]);
    for (const { txid, vin, vout } of tx) {
      for (const input of vin) unspent.delete(`${input.txid}:${input.vout}`);
      for (const { n, scriptPubKey, value } of vout)
        if (scriptPubKey.addresses?.some((address) => own.has(address)) === true)
          unspent.set(`${txid}:${n}`, unitsOf(String(value), alpha));
    }
  }
  return [...unspent.values()].reduce((sum, units) => sum + units, 0n);
}

async function tronUnits(
  site: TronSite,
  contract: string | null,
  addresses: readonly string[],
): Promise<bigint> {
  const balances = await Promise.all(
    addresses.map(async (address) => {
      if (contract === null) {
        const { balance = 0 } = await queryTron<{ balance?: number }>(site, "getaccount", {
          address,
          visible: true,
        });
        return BigInt(balance);
      }
      const { constant_result } = await queryTron<{ constant_result: readonly string[] }>(
        site,
        "triggerconstantcontract",
        {
          owner_address: address,
          contract_address: contract,
          function_selector: "balanceOf(address)",
          parameter: Buffer.from(present(tronAddressBytes(address), address).subarray(1))
            .toString("hex")
            .padStart(64, "0"),
          visible: true,
        },
      );
      return BigInt(`0x${constant_result[0] ?? ""}`);
    }),
  );
  return balances.reduce((sum, balance) => sum + balance, 0n);
}

async function algorandUnits(
  site: AlgorandSite,
  asset: string | null,
  addresses: readonly string[],
): Promise<bigint> {
  let sum = 0n;
  for (const address of addresses) {
    const path = `/v2/accounts/${address}`;
    if (asset === null) {
      const account = await queryAlgod<{ amount: number }>(site, `${path}?exclude=all`);
      sum += BigInt(account?.amount ?? 0);
      continue;
    }
    const held = await queryAlgod<{ "asset-holding": { amount: number } }>(
      site,
      `${path}/assets/${asset}`,
    );
    sum += BigInt(held?.["asset-holding"].amount ?? 0);
  }
  return sum;
}

/** Deposits spell the shared account with their tags; it is counted once. */
async function xrplUnits(
  site: XrplSite,
  addresses: readonly string[],
  height: number | null,
): Promise<bigint> {
  const accounts = addresses.map((address) => {
    const spelled = readXAddress(address);
    return spelled === null ? address : classicAddress(spelled.accountId);
  });
  const balances = await Promise.all(
    [...new Set(accounts)].map(async (account) => {
      const { account_data } = await queryXrpl<{ account_data?: { Balance: string } }>(
        site,
        "account_info",
        { account, ledger_index: height ?? "validated" },
      );
      return BigInt(account_data?.Balance ?? 0);
    }),
  );
  return balances.reduce((sum, balance) => sum + balance, 0n);
}

/** Deposits share one account; it is counted once. */
async function stellarUnits(
  { horizon_url, tokens }: StellarSite,
  alpha: string,
  addresses: readonly string[],
): Promise<bigint> {
  const [code, issuer] = tokens[alpha]?.split(":") ?? [];
  const balances = await Promise.all(
    [...new Set(addresses)].map(async (address) => {
      const response = await fetch(`${horizon_url}/accounts/${address}`);
      const account = (await response.json()) as {
        readonly balances?: readonly {
          readonly balance: string;
          readonly asset_code?: string;
          readonly asset_issuer?: string;
        }[];
      };
      const held = account.balances?.find(
        ({ asset_code, asset_issuer }) => asset_code === code && asset_issuer === issuer,
      );
      return unitsOf(held?.balance ?? "0", alpha);
    }),
  );
  return balances.reduce((sum, balance) => sum + balance, 0n);
}

/** Deposits share one account; it is counted once. A jetton is in the account's wallet of it, which the jetton's master names. */
async function tonUnits(
  site: TonSite,
  master: string | null,
  addresses: readonly string[],
  height: number | null,
): Promise<bigint> {
  type Stack = { readonly stack: readonly (readonly [string, unknown])[] };
  const at = height === null ? {} : { seqno: height };
  const balances = await Promise.all(
    [...new Set(addresses)].map(async (address) => {
      if (master === null) {
        const state = await queryTon<{ readonly balance: string }>(site, "getAddressInformation", {
          address,
          ...at,
        });
        return BigInt(present(state, "an account").balance);
      }
      const owner = beginCell().storeAddress(Address.parse(address)).endCell().toBoc();
      const named = await queryTon<Stack>(site, "runGetMethod", {
        address: master,
        method: "get_wallet_address",
        stack: [["tvm.Slice", owner.toString("base64")]],
      });
      const { bytes } = present(named?.stack[0], "the wallet")[1] as { readonly bytes: string };
      const wallet = Cell.fromBase64(bytes).beginParse().loadAddress().toString();
      const data = await queryTon<Stack>(site, "runGetMethod", {
        address: wallet,
        method: "get_wallet_data",
        stack: [],
        ...at,
      });
      return BigInt((data?.stack[0]?.[1] as string | undefined) ?? 0);
    }),
  );
  return balances.reduce((sum, balance) => sum + balance, 0n);
}

function balanceOf(address: string): string {
  return encodeFunctionData({
    abi: [
      {
        type: "function",
        name: "balanceOf",
        stateMutability: "view",
        inputs: [{ name: "owner", type: "address" }],
        outputs: [{ type: "uint256" }],
      },
    ],
    functionName: "balanceOf",
    args: [address as `0x${string}`],
  });
}

/** The fee that a transaction in a block paid to the miner, in units of the chain's coin. */
export async function burntBy(control: ChainControl, txid: string): Promise<bigint> {
  if (control.site.family === "evm") {
    const receipt = await control.rpc.call<{ gasUsed: string; effectiveGasPrice: string }>(
      "eth_getTransactionReceipt",
      [txid],
      signal,
    );
    return BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice);
  }
  const { vin, vout } = await decode(control, txid);
  let left = 0n;
  for (const input of vin) {
    const source = await decode(control, input.txid);
    left += unitsOf(String(source.vout[input.vout]?.value), control.chain);
  }
  return vout.reduce((rest, { value }) => rest - unitsOf(String(value), control.chain), left);
}

/** The height of the block of an Ethereum transaction; null while it waits for one. */
export async function heightOf({ rpc }: ChainControl, txid: string): Promise<number | null> {
  const receipt = await rpc.call<{ blockNumber: string } | null>(
    "eth_getTransactionReceipt",
    [txid],
    signal,
  );
  return receipt === null ? null : Number(receipt.blockNumber);
}

type Decoded = {
  readonly vin: readonly { readonly txid: string; readonly vout: number }[];
  readonly vout: readonly { readonly value: string | number }[];
};

function decode({ node }: ChainControl, txid: string): Promise<Decoded> {
  return node.command<Decoded>("getrawtransaction", [txid, 1]);
}

/** A new address of the faucet's, unknown to the service. */
export function outsideAddress({ node }: ChainControl, type = "bech32"): Promise<string> {
  return node.faucet<string>("getnewaddress", ["", type]);
}
