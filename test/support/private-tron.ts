import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TronWeb, type Types } from "tronweb";
import { present } from "../../src/platform/kernel/assert.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { startTron, type Tron } from "../../src/sandbox/tron/start-tron.ts";

export type Parameter = { readonly type: string; readonly value: unknown };

export type PrivateTron = {
  readonly tron: Tron;
  readonly folder: string;
  /** The chain's own SDK, as its authors published it, with the faucet's key. */
  readonly web: TronWeb;
  readonly faucet: string;
  /** The USDT-like token's contract in base58. */
  readonly usdt: string;
  /** Asks the node; `path` such as `/wallet/getnowblock`. */
  readonly ask: <Answer = Record<string, unknown>>(path: string, body?: object) => Promise<Answer>;
  /** A command of the control endpoint, such as `/mine`. */
  readonly control: (path: string, body: object) => Promise<Record<string, unknown>>;
  readonly mine: (blocks?: number) => Promise<void>;
  /** Signs and sends a transaction of tronweb's builder with the faucet's key, or another. Rejects if the node refuses it. */
  readonly send: (transaction: Types.Transaction, privateKey?: string) => Promise<string>;
  /** A contract call to send; `selector` such as `transfer(address,uint256)`. */
  readonly callOf: (
    contract: string,
    selector: string,
    parameters: readonly Parameter[],
    options?: { readonly from?: string; readonly feeLimit?: number; readonly callValue?: number },
  ) => Promise<Types.Transaction>;
  /** Token units of an account. */
  readonly tokensOf: (address: string, contract?: string) => Promise<bigint>;
  /** A new account in base58 with its key; it exists on the chain once it has been paid. */
  readonly newAccount: () => Promise<{ readonly address: string; readonly privateKey: string }>;
  readonly stop: () => Promise<void>;
};

/** A simulated TRON ledger that makes blocks on demand. With a `folder` it continues the chain there, which `stop` then keeps. */
export async function startPrivateTron(folder?: string, port = 0): Promise<PrivateTron> {
  const home = folder ?? (await mkdtemp(join(tmpdir(), "sluice-tron-")));
  const tron = await startTron({
    folder: home,
    port,
    minesOnTime: false,
    clock: systemClock,
    random: systemRandom,
    logger: silentLogger,
  });
  const web = new TronWeb({ fullHost: tron.url, privateKey: tron.faucetPrivateKey });
  const post = async (url: string, body: object): Promise<unknown> => {
    const response = await fetch(url, { method: "POST", body: JSON.stringify(body) });
    return response.json();
  };
  const control: PrivateTron["control"] = async (path, body) =>
    (await post(tron.sandboxUrl + path, body)) as Record<string, unknown>;
  const faucet = String(web.defaultAddress.base58);
  const usdt = present(tron.tokens["USDT-TRX"], "the token");
  return {
    tron,
    folder: home,
    web,
    faucet,
    usdt,
    ask: async <Answer>(path: string, body: object = {}) =>
      (await post(tron.url + path, body)) as Answer,
    control,
    mine: async (blocks = 1) => {
      await control("/mine", { blocks });
    },
    send: async (transaction, privateKey = tron.faucetPrivateKey) => {
      const signed = await web.trx.sign(transaction, privateKey);
      const { result, code, message, txid } = await web.trx.sendRawTransaction(signed);
      if (!result) throw new Error(`${code}: ${message}`);
      return txid;
    },
    callOf: async (contract, selector, parameters, { from, ...options } = {}) => {
      const built: Types.TransactionWrapper = await web.transactionBuilder.triggerSmartContract(
        contract,
        selector,
        { feeLimit: 100_000_000, ...options },
        [...parameters] as Types.ContractFunctionParameter[],
        from ?? faucet,
      );
      return built.transaction;
    },
    tokensOf: async (address, contract = usdt) => {
      const answer: Types.TransactionWrapper = await web.transactionBuilder.triggerConstantContract(
        contract,
        "balanceOf(address)",
        {},
        [{ type: "address", value: address }],
        faucet,
      );
      const [units] = answer.constant_result as readonly [string];
      return BigInt(`0x${units}`);
    },
    newAccount: async () => {
      const { address, privateKey } = await web.createAccount();
      return { address: address.base58, privateKey };
    },
    stop: async () => {
      await tron.stop();
      if (folder === undefined) await rm(home, { recursive: true, force: true });
    },
  };
}
