import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Asset, Keypair, Operation, rpc, TransactionBuilder, type xdr } from "@stellar/stellar-sdk";
import { request } from "undici";
import { afterAll, beforeAll, expect } from "vitest";
import type { Destination } from "../../src/chains/port.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { type Stellar, startStellar } from "../../src/sandbox/stellar/start-stellar.ts";

/** A simulated Stellar network, and payers of their own on it, who use the official SDK. */
export type StellarNetworkSite = ReturnType<typeof useStellarNetwork>;

/** Starts one for the tests of a file. Its ledgers close when a test says so. */
export function useStellarNetwork() {
  let folder = "";
  let started: { readonly network: Stellar; readonly server: rpc.Server } | null = null;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "sluice-stellar-"));
    const world = { clock: systemClock, random: systemRandom, logger: silentLogger };
    const network = await startStellar({ folder, port: 0, minesOnTime: false, ...world });
    started = { network, server: new rpc.Server(network.rpcUrl, { allowHttp: true }) };
  });
  afterAll(async () => {
    await started?.network.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const reached = () => present(started, "a network that runs");
  const faucet = () => Keypair.fromSecret(reached().network.faucetSecret);
  const command = async (path: string, body: object): Promise<void> => {
    const { sandboxUrl } = reached().network;
    const response = await request(sandboxUrl + path, {
      method: "POST",
      body: JSON.stringify(body),
    });
    expect(response.statusCode).toBe(200);
    await response.body.dump();
  };
  const close = (seconds = 0) => command("/mine", { blocks: 1, seconds });
  /** A transaction of that account, in a closed ledger. */
  const execute = async (
    from: Keypair,
    operations: readonly xdr.Operation[],
    more: readonly Keypair[] = [],
  ): Promise<void> => {
    const { network, server } = reached();
    const builder = new TransactionBuilder(await server.getAccount(from.publicKey()), {
      fee: "100",
      networkPassphrase: network.networkPassphrase,
    });
    for (const operation of operations) builder.addOperation(operation);
    const transaction = builder.setTimeout(0).build();
    transaction.sign(from, ...more);
    expect((await server.sendTransaction(transaction)).status).toBe("PENDING");
    await close();
  };
  return {
    reached,
    faucet,
    command,
    close,
    execute,
    /** The token that the network has in place of the issuer's. */
    testDollar: () => assetNamed(present(reached().network.tokens["USDC-XLM"], "the test token")),
    newAccount: async (startingBalance = "100"): Promise<Keypair> => {
      const created = Keypair.random();
      const destination = created.publicKey();
      await execute(faucet(), [Operation.createAccount({ destination, startingBalance })]);
      return created;
    },
    balanceOf: async (address: string): Promise<bigint> =>
      (await reached().server.getAccountEntry(address)).balance,
  };
}

/** `CODE:ISSUER`. */
function assetNamed(name: string): Asset {
  const [code = "", issuer = ""] = name.split(":");
  return new Asset(code, issuer);
}

export const named = (address: string, tag: string | null = null): Destination => ({
  address,
  addressType: null,
  tag,
});
