import {
  Account,
  Asset,
  Keypair,
  Memo,
  Operation,
  TransactionBuilder,
} from "@stellar/stellar-sdk/base";
import {
  LedgerEntryData,
  LedgerKey,
  LedgerKeyAccount,
  LedgerKeyTrustLine,
  PublicKey,
  TransactionResult,
} from "@stellar/stellar-sdk/xdr";
import { createHttpNodes } from "../chains/rpc/http-nodes.ts";
import { NodeError } from "../chains/rpc/node-error.ts";
import type { ChainId, Currency } from "../currencies/currency.ts";
import { readStellarAddress, stellarAddressText } from "../currencies/stellar-address.ts";
import { present } from "../platform/kernel/assert.ts";
import { microsPerSecond } from "../platform/kernel/clock.ts";
import { formatDecimal } from "../platform/kernel/decimal.ts";
import type { JsonObject } from "../platform/kernel/json.ts";
import { reject } from "../platform/kernel/rejection.ts";
import type { World } from "../platform/kernel/world.ts";
import type { ChainPayer } from "./chain-payer.ts";
import type { StellarSite } from "./sandbox-file.ts";

const timeoutMs = 30_000;
const never = new AbortController().signal;
const feeStroops = "100";
const validitySeconds = 60;
/** A ledger closes every two seconds. One transaction of the account waits at a time, and a new receiver makes its trust line first. */
const patience = { tries: 240, pauseMs: 250 };

type Answer = Readonly<Record<string, unknown>>;

/** Pays from the ledger's faucet account. Closed ledgers are final, so nothing is ever reorganized. */
export function createStellarPayer(chainId: ChainId, site: StellarSite, world: World): ChainPayer {
  const { faucet_secret, network_passphrase, rpc_url, sandbox_url } = site;
  const { clock } = world;
  const nodes = createHttpNodes({
    nodes: [{ url: new URL(rpc_url).origin }],
    chain: chainId,
    timeoutMs,
    ...world,
  });
  const faucet = Keypair.fromSecret(faucet_secret);
  const post = (url: string, body: JsonObject): Promise<Answer> =>
    nodes.run(
      async (link) => {
        const path = new URL(url).pathname;
        const { document } = await link.send({ method: "POST", path, body: JSON.stringify(body) });
        return document as Answer;
      },
      never,
      { attempts: 1 },
    );
  const ask = async (method: string, params: JsonObject = {}): Promise<Answer> => {
    const { error, result } = await post(rpc_url, { jsonrpc: "2.0", id: 1, method, params });
    if (error !== undefined) throw new NodeError((error as { message: string }).message);
    return result as Answer;
  };
  const entryAt = async (key: LedgerKey): Promise<LedgerEntryData | null> => {
    const { entries } = await ask("getLedgerEntries", { keys: [key.toXdr("base64")] });
    const [found] = (entries ?? []) as readonly { readonly xdr: string }[];
    return found === undefined ? null : LedgerEntryData.fromXdr(found.xdr, "base64");
  };
  const accountAt = (address: string): Promise<LedgerEntryData | null> =>
    entryAt(LedgerKey.account(new LedgerKeyAccount({ accountId: accountId(address) })));
  const canReceive = async (address: string, asset: Asset): Promise<boolean> => {
    if (asset.isNative()) return true;
    const line = { accountId: accountId(address), asset: asset.toTrustLineXdrObject() };
    return (await entryAt(LedgerKey.trustline(new LedgerKeyTrustLine(line)))) !== null;
  };

  /** The network's time may have been moved ahead of ours. */
  const latestSecond = async (): Promise<number> => {
    const { closeTime } = await ask("getLatestLedger");
    return Math.max(Number(closeTime), Math.floor(clock.now() / microsPerSecond)) + validitySeconds;
  };

  const send = async (payment: Payment): Promise<Answer> => {
    const own = await accountAt(faucet.publicKey());
    if (own?.type !== "account") throw new NodeError("the faucet has no account");
    const account = new Account(faucet.publicKey(), own.account.seqNum.toString());
    const isThere = (await accountAt(payment.to)) !== null;
    const builder = new TransactionBuilder(account, {
      fee: feeStroops,
      networkPassphrase: network_passphrase,
      ...(payment.memo === null ? {} : { memo: Memo.id(payment.memo) }),
    }).addOperation(isThere ? paymentTo(payment) : creationOf(payment));
    const transaction = builder.setTimebounds(0, await latestSecond()).build();
    transaction.sign(faucet);
    return await ask("sendTransaction", { transaction: transaction.toEnvelope().toXdr("base64") });
  };

  return {
    pay: async (currency, address, units, tag) => {
      const payment = paymentOf(site, currency, { address, units, tag });
      for (let tried = 1; ; tried += 1) {
        const isReady = await canReceive(payment.to, payment.asset);
        if (!isReady && tried === patience.tries)
          throw new NodeError(`the receiver has no trust line for ${currency.alpha}`);
        const { errorResultXdr, hash, status } = isReady ? await send(payment) : {};
        if (status === "PENDING") return String(hash);
        const code = status === "ERROR" ? codeIn(errorResultXdr) : null;
        // Others may pay from the same account at the same time, and use the sequence first.
        if ((code !== null && code !== "txBadSeq") || tried === patience.tries)
          throw new NodeError(code ?? String(status));
        await clock.sleep(patience.pauseMs);
      }
    },
    mine: async (count) => {
      await post(`${sandbox_url}/mine`, { blocks: count });
    },
    reorg: () => reject("invalidValue", "Ledgers of Stellar are final."),
    tip: async () => {
      const { id, sequence } = await ask("getLatestLedger");
      return { height: Number(sequence), hash: String(id) };
    },
    reorgDepthMax: 0,
    close: nodes.close,
  };
}

type Payment = {
  readonly to: string;
  readonly memo: string | null;
  readonly asset: Asset;
  readonly amount: string;
};

/** The account and the memo in an M-address, or a G-address with the memo beside it. */
function paymentOf(
  { tokens }: StellarSite,
  { alpha, exp, kind }: Currency,
  receiver: { readonly address: string; readonly units: bigint; readonly tag: string | null },
): Payment {
  const { address, tag, units } = receiver;
  const spelled = readStellarAddress(address);
  if (spelled === null) reject("invalidValue", `${address} is no account of Stellar.`);
  const [code, issuer] = kind === "coin" ? [] : present(tokens[alpha], alpha).split(":");
  return {
    to: stellarAddressText({ publicKey: spelled.publicKey, id: null }),
    memo: spelled.id ?? tag,
    asset: code === undefined ? Asset.native() : new Asset(code, issuer),
    amount: formatDecimal(units, exp),
  };
}

function paymentTo({ amount, asset, to }: Payment) {
  return Operation.payment({ destination: to, asset, amount });
}

function creationOf({ amount, asset, to }: Payment) {
  if (!asset.isNative()) throw new NodeError(`the account ${to} does not exist`);
  return Operation.createAccount({ destination: to, startingBalance: amount });
}

function accountId(address: string): PublicKey {
  const { publicKey } = present(readStellarAddress(address), "an account");
  return PublicKey.publicKeyTypeEd25519(publicKey);
}

function codeIn(result: unknown): string {
  return TransactionResult.fromXdr(String(result), "base64").result.type;
}
