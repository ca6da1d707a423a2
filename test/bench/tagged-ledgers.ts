import {
  Account,
  Asset,
  Keypair,
  MuxedAccount,
  Operation,
  TimeoutInfinite,
  TransactionBuilder,
} from "@stellar/stellar-sdk/base";
import { LedgerEntryData, LedgerKey, LedgerKeyAccount, PublicKey } from "@stellar/stellar-sdk/xdr";
import { Wallet, xAddressToClassicAddress } from "xrpl";
import { present } from "../../src/platform/kernel/assert.ts";
import type { JsonObject } from "../../src/platform/kernel/json.ts";
import type { CurrencyId } from "../../src/platform/kernel/money.ts";
import type { SandboxChain, XrplSite } from "../../src/sandbox/sandbox-file.ts";
import { networkPassphrase, faucet as stellarFaucet } from "../../src/sandbox/stellar/genesis.ts";
import { faucetSeed } from "../../src/sandbox/xrpl/genesis.ts";
import { initialSettings } from "../../src/sandbox/xrpl/settings.ts";
import { queryStellar } from "../support/query-stellar.ts";
import { queryXrpl } from "../support/query-xrpl.ts";
import { stellarSiteAt } from "../support/stellar-site.ts";

/** A deposit as payers see it. */
type Payable = { readonly address: string; readonly tag: string };

/** A simulated ledger on which all deposits share one account. */
export type TaggedLedger = {
  readonly chain: string;
  readonly currency: CurrencyId;
  readonly program: string;
  /** Between two ledgers, as on the real network. */
  readonly ledgerMs: number;
  readonly siteAt: (port: number) => SandboxChain & { readonly rpc_url: string };
  readonly config: JsonObject;
  /** `payouts.fee_ceilings`. */
  readonly feeCeilings?: JsonObject;
  readonly newAccount: () => string;
  readonly addressType: string;
  /** The smallest units in one coin. */
  readonly coin: bigint;
  /** Pays each deposit one coin from the faucet's account, as fast as the node takes them. */
  readonly payAll: (
    url: string,
    deposits: readonly Payable[],
    close: () => Promise<void>,
  ) => Promise<void>;
  /** Whether the account is set up as far as the measured payouts need. Absent: once it has deposits. */
  readonly isReady?: (url: string, account: string) => Promise<boolean>;
  /** What the account of this deposit holds, by the node. */
  readonly balanceOf: (url: string, deposit: Payable) => Promise<bigint>;
};

export const xrpLedger: TaggedLedger = {
  chain: "XRP",
  currency: "1010" as CurrencyId,
  program: "xrpl-process.ts",
  ledgerMs: 3_000,
  siteAt: xrplSiteAt,
  config: { chain_id: initialSettings.networkId },
  newAccount: () => Wallet.generate().address,
  addressType: "x-address",
  coin: 1_000_000n,
  payAll: payAllXrp,
  balanceOf: async (url, { address }) => {
    const { account_data } = await queryXrpl<{
      readonly account_data: { readonly Balance: string };
    }>({ rpc_url: url }, "account_info", {
      account: xAddressToClassicAddress(address).classicAddress,
      ledger_index: "validated",
    });
    return BigInt(account_data.Balance);
  },
};

/** Accounts whose sequences the hot account uses as well. */
const channels = 200;
const entriesOfChannel = 2;

/** Stellar, where all of the account's transactions use its own sequence. */
export const stellarLedger: TaggedLedger = {
  chain: "XLM",
  currency: "1021" as CurrencyId,
  program: "stellar-process.ts",
  ledgerMs: 5_000,
  siteAt: stellarSiteAt,
  config: { network_passphrase: networkPassphrase },
  newAccount: () => Keypair.random().publicKey(),
  addressType: "",
  coin: 10_000_000n,
  payAll: payAllXlm,
  balanceOf: async (url, { address }) => (await stellarAccount(url, address)).balance,
};

/** Stellar with channels. */
export const channelLedger: TaggedLedger = {
  ...stellarLedger,
  config: { ...stellarLedger.config, channels },
  // Enough to make nineteen channels at once, instead of three.
  feeCeilings: { XLM: "0.01" },
  isReady: async (url, account) => {
    const { ext } = await stellarAccount(url, account);
    const more = ext.type === "v1" && ext.v1.ext.type === "v2" ? ext.v1.ext.v2 : null;
    return (more?.numSponsoring ?? 0) >= channels * entriesOfChannel;
  },
};

/** A new account under a memo of its own. */
export function newMemo(at: number): string {
  const account = new Account(Keypair.random().publicKey(), "0");
  return new MuxedAccount(account, String(at + 1)).accountId();
}

function xrplSiteAt(port: number): XrplSite {
  const url = `http://127.0.0.1:${port}`;
  return {
    family: "xrpl",
    simulated: true,
    rpc_url: url,
    ws_url: `ws://127.0.0.1:${port}`,
    sandbox_url: `${url}/sandbox`,
    faucet_seed: faucetSeed,
    network_id: initialSettings.networkId,
  };
}

/** Transactions that wait in one open ledger at most. */
const perLedger = 500;

async function payAllXrp(
  url: string,
  payable: readonly Payable[],
  close: () => Promise<void>,
): Promise<void> {
  const site = { rpc_url: url };
  const wallet = Wallet.fromSeed(faucetSeed);
  const { account_data } = await queryXrpl<{
    readonly account_data: { readonly Sequence: number };
  }>(site, "account_info", { account: wallet.address, ledger_index: "current" });
  let { Sequence } = account_data;
  for (const [index, { address }] of payable.entries()) {
    const { classicAddress, tag } = xAddressToClassicAddress(address);
    const { tx_blob } = wallet.sign({
      TransactionType: "Payment",
      Account: wallet.address,
      Destination: classicAddress,
      DestinationTag: Number(tag),
      Amount: String(xrpLedger.coin),
      Fee: "10",
      Sequence,
    });
    Sequence += 1;
    const { engine_result } = await queryXrpl<{ readonly engine_result?: string }>(site, "submit", {
      tx_blob,
    });
    if (engine_result !== "tesSUCCESS") throw new Error(`payment ${index}: ${engine_result}`);
    if (index % perLedger === perLedger - 1) await close();
  }
  await close();
}

/** Operations in one transaction, each to the M-address of a deposit. */
const perTransaction = 100;

async function payAllXlm(
  url: string,
  payable: readonly Payable[],
  close: () => Promise<void>,
): Promise<void> {
  for (let from = 0; from < payable.length; from += perTransaction) {
    const { seqNum } = await stellarAccount(url, stellarFaucet.publicKey());
    const own = new Account(stellarFaucet.publicKey(), seqNum.toString());
    const builder = new TransactionBuilder(own, { fee: "100", networkPassphrase });
    for (const { address, tag } of payable.slice(from, from + perTransaction)) {
      const destination = new MuxedAccount(new Account(address, "0"), tag).accountId();
      builder.addOperation(Operation.payment({ destination, asset: Asset.native(), amount: "1" }));
    }
    // Ledgers that close faster than one a second run ahead of the clock, so a time limit by the clock would be over.
    const transaction = builder.setTimeout(TimeoutInfinite).build();
    transaction.sign(stellarFaucet);
    const sent = await queryStellar<{ readonly status: string }>(
      { rpc_url: `${url}/rpc` },
      "sendTransaction",
      { transaction: transaction.toEnvelope().toXdr("base64") },
    );
    if (sent?.status !== "PENDING") throw new Error(`payments from ${from}: ${sent?.status}`);
    await close();
  }
}

async function stellarAccount(url: string, address: string) {
  const accountId = PublicKey.publicKeyTypeEd25519(
    present(Keypair.fromPublicKey(address).xdrPublicKey().ed25519, "a key"),
  );
  const key = LedgerKey.account(new LedgerKeyAccount({ accountId }));
  const found = await queryStellar<{ readonly entries: readonly { readonly xdr: string }[] }>(
    { rpc_url: `${url}/rpc` },
    "getLedgerEntries",
    { keys: [key.toXdr("base64")] },
  );
  const entry = LedgerEntryData.fromXdr(present(found?.entries[0], "an account").xdr, "base64");
  if (entry.type !== "account") throw new Error("an entry that is no account");
  return entry.account;
}
