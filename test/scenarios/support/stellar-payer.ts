import {
  Asset,
  BASE_FEE,
  Horizon,
  Keypair,
  type Memo,
  Operation,
  rpc,
  TransactionBuilder,
  type xdr,
} from "@stellar/stellar-sdk";
import { expect } from "vitest";
import { present } from "../../../src/platform/kernel/assert.ts";
import type { StellarSite } from "../../../src/sandbox/sandbox-file.ts";
import type { TestSite } from "./test-site.ts";

type Sent = {
  readonly memo?: Memo;
  /** Pays the fee and uses its sequence; by default the faucet. */
  readonly source?: Keypair;
  readonly signers?: readonly Keypair[];
};

type Built = Parameters<rpc.Server["sendTransaction"]>[0];

/** A payer with the chain's own SDK, who finds everything in `sandbox.json`. */
export type StellarPayer = {
  readonly server: rpc.Server;
  readonly horizon: Horizon.Server;
  readonly faucet: Keypair;
  /** The test token. */
  readonly dollar: Asset;
  readonly build: (
    operations: readonly xdr.Operation[],
    sent?: Sent,
  ) => Promise<ReturnType<TransactionBuilder["build"]>>;
  /** Sends by the SDK's own means, closes the ledger, and resolves with the transaction's hash and outcome. */
  readonly submit: (
    transaction: Built,
  ) => Promise<{ readonly hash: string; readonly status: string }>;
  /** Builds, submits, and fails unless the transaction succeeds; resolves with its hash. */
  readonly send: (operations: readonly xdr.Operation[], sent?: Sent) => Promise<string>;
  readonly newAccount: (startingBalance?: string) => Promise<Keypair>;
};

export function openStellarPayer(chain: StellarSite, site: TestSite): StellarPayer {
  const server = new rpc.Server(chain.rpc_url, { allowHttp: true });
  const horizon = new Horizon.Server(chain.horizon_url, { allowHttp: true });
  const faucet = Keypair.fromSecret(chain.faucet_secret);
  const [code = "", issuer = ""] = present(chain.tokens["USDC-XLM"], "the test token").split(":");
  const build: StellarPayer["build"] = async (operations, { memo, source, signers = [] } = {}) => {
    const payer = source ?? faucet;
    const builder = new TransactionBuilder(await server.getAccount(payer.publicKey()), {
      fee: BASE_FEE,
      networkPassphrase: chain.network_passphrase,
      ...(memo === undefined ? {} : { memo }),
    });
    for (const operation of operations) builder.addOperation(operation);
    const transaction = builder.setTimeout(60).build();
    transaction.sign(payer, ...signers);
    return transaction;
  };
  const submit: StellarPayer["submit"] = async (transaction) => {
    const { hash, status } = await server.sendTransaction(transaction);
    expect(status).toBe("PENDING");
    await site.onChain("XLM", (control) => control.mine(1));
    return { hash, status: (await server.getTransaction(hash)).status };
  };
  const send: StellarPayer["send"] = async (operations, sent) => {
    const { hash, status } = await submit(await build(operations, sent));
    expect(status).toBe("SUCCESS");
    return hash;
  };
  return {
    server,
    horizon,
    faucet,
    dollar: new Asset(code, issuer),
    build,
    submit,
    send,
    newAccount: async (startingBalance = "50") => {
      const keys = Keypair.random();
      await send([Operation.createAccount({ destination: keys.publicKey(), startingBalance })]);
      return keys;
    },
  };
}
