import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../src/platform/kernel/assert.ts";
import artifacts from "../../src/sandbox/contracts/artifacts.gen.json" with { type: "json" };
import { type Parameter, type PrivateTron, startPrivateTron } from "../support/private-tron.ts";
import {
  coin,
  openTronAccounts,
  signal,
  type TronAccounts,
  tether,
} from "../support/tron-accounts.ts";
import {
  type ConnectedTron,
  connectTron,
  describeTransfer,
  solidTransfers,
} from "../support/tron-adapter.ts";

/*
 * What the TRON adapter credits, and what it does not, on the simulated ledger. Every transaction is built, signed and sent by
 * tronweb; contracts execute in the ledger's virtual machine.
 */

type ContractName = keyof typeof artifacts;

const depth = 19;
let ledger: PrivateTron;
let own: TronAccounts;
let client: ConnectedTron;
let wallet: string;
let nextDeposit = 0;

beforeAll(async () => {
  ledger = await startPrivateTron();
  own = openTronAccounts(ledger);
  client = connectTron(ledger, [ledger.tron.url]);
  wallet = await deploy("PayingWallet");
  await ledger.send(
    await ledger.web.transactionBuilder.sendTrx(own.hot, 1_000_000_000, ledger.faucet),
  );
  await ledger.mine(depth + 1);
});
afterAll(async () => {
  await client.close();
  await own.close();
  await ledger.stop();
});

async function deploy(name: ContractName, args: readonly unknown[] = []): Promise<string> {
  const { abi, bytecode } = artifacts[name];
  const deployment = await ledger.web.transactionBuilder.createSmartContract(
    { abi: JSON.stringify(abi), bytecode, feeLimit: 5_000_000_000, name, parameters: [...args] },
    ledger.faucet,
  );
  await ledger.send(deployment);
  await ledger.mine();
  return ledger.web.address.fromHex(deployment.contract_address);
}

const fresh = (): string => client.adapter.addressing.depositAt(nextDeposit++, null).address;
const address = (value: string): Parameter => ({ type: "address", value });
const uint = (value: bigint | number): Parameter => ({ type: "uint256", value: String(value) });

/** Sends a contract call and waits until it is solid. Resolves with its transfers. */
async function credited(
  contract: string,
  selector: string,
  parameters: readonly Parameter[],
  options: { readonly callValue?: number; readonly feeLimit?: number } = {},
): Promise<readonly string[]> {
  const txid = await ledger.send(
    await ledger.callOf(contract, selector, parameters, { feeLimit: 1_000_000_000, ...options }),
  );
  await ledger.mine(depth + 1);
  return (await solidTransfers(client.adapter, txid)).map(describeTransfer);
}

const pay = (
  selector: string,
  to: readonly string[],
  units: readonly number[],
  callValue: number,
) =>
  credited(
    wallet,
    selector,
    [
      { type: "address[]", value: to },
      { type: "uint256[]", value: units },
    ],
    { callValue },
  );

describe("TRX", () => {
  it("is credited when a contract pays it, with the amount that arrived", async () => {
    const [one, other] = [fresh(), fresh()];
    expect(await pay("payAll(address[],uint256[])", [one, other], [3, 4], 10)).toEqual([
      `${wallet} ${coin} 10`,
      `${one} ${coin} 3`,
      `${other} ${coin} 4`,
    ]);
  });

  it("is not credited from a call that failed inside a successful transaction", async () => {
    const [failing, succeeding] = [fresh(), fresh()];
    const transfers = await credited(
      wallet,
      "payPartly(address[],address[],uint256[])",
      [
        { type: "address[]", value: [failing] },
        { type: "address[]", value: [succeeding] },
        { type: "uint256[]", value: [5] },
      ],
      { callValue: 5 },
    );
    expect(transfers.filter((text) => text.startsWith(failing))).toEqual([]);
    expect(transfers).toContain(`${succeeding} ${coin} 5`);
  });

  it("is credited once when a delegated call carries its value", async () => {
    const payee = fresh();
    const transfers = await pay("payThroughDelegate(address[],uint256[])", [payee], [6], 6);
    expect(transfers).toEqual([`${wallet} ${coin} 6`, `${payee} ${coin} 6`]);
  });

  it("is not credited by a contract call that failed", async () => {
    const payee = fresh();
    expect(await pay("payAllAndFail(address[],uint256[])", [payee], [7], 7)).toEqual([]);
    const hash = (await client.adapter.reader.tip(signal)).hash;
    expect(await client.adapter.reader.balancesAt([payee], coin, hash, signal)).toEqual([0n]);
  });

  it("is burned as the fee of a transaction that ran out of energy", async () => {
    const txid = await ledger.send(
      await ledger.callOf(ledger.usdt, "transfer(address,uint256)", [address(fresh()), uint(1)], {
        feeLimit: 1_000,
      }),
    );
    await ledger.mine(depth + 1);
    expect(await solidTransfers(client.adapter, txid)).toEqual([]);
    const { reader } = client.adapter;
    const status = await reader.statusOf(txid, [], signal);
    if (status.kind !== "included") throw new Error(`it is ${status.kind}`);
    const block = present(await reader.headerAt(status.height, signal), "its block");
    const info = await ledger.web.trx.getUnconfirmedTransactionInfo(txid);
    expect(info.receipt.result).toBe("OUT_OF_ENERGY");
    expect(await reader.receiptsIn([txid], block, signal)).toEqual([
      { txid, hasSucceeded: false, feeUnits: BigInt(info.fee) },
    ]);
  });
});

describe("tokens", () => {
  const transfer = "transfer(address,uint256)";

  it("are credited by the logs of a listed contract", async () => {
    const payee = fresh();
    expect(await credited(ledger.usdt, transfer, [address(payee), uint(7)])).toEqual([
      `${payee} ${tether} 7`,
    ]);
  });

  it("are credited once for each transfer of a transaction", async () => {
    const payee = fresh();
    await credited(ledger.usdt, transfer, [address(wallet), uint(100)]);
    const transfers = await credited(wallet, "payTokens(address,address,uint256[])", [
      address(ledger.usdt),
      address(payee),
      { type: "uint256[]", value: [1, 1, 2] },
    ]);
    expect(transfers).toEqual([1, 1, 2].map((units) => `${payee} ${tether} ${units}`));
  });

  it("are shown as unlisted if another contract uses the same name and symbol", async () => {
    const payee = fresh();
    const lookAlike = await deploy("TetherLike", [1_000_000]);
    expect(await credited(lookAlike, transfer, [address(payee), uint(7)])).toEqual([
      `${payee} ${lookAlike} 7`,
    ]);
  });

  it("are not credited for transfers of zero, which poison address books", async () => {
    const hostile = await deploy("HostileToken");
    const pretend = "pretend(address,address,uint256)";
    const [from, to] = [fresh(), fresh()];
    expect(await credited(hostile, pretend, [address(from), address(to), uint(0)])).toEqual([]);
    expect(await credited(ledger.usdt, transfer, [address(to), uint(0)])).toEqual([]);
  });

  it("are not credited for TRC-10 transfers", async () => {
    const { faucet, mine, send, web } = ledger;
    const payee = fresh();
    await send(await web.transactionBuilder.sendTrx(payee, 1, faucet));
    await mine();
    const txid = await send(await web.transactionBuilder.sendToken(payee, 5, "1000001", faucet));
    await mine(depth + 1);
    const account = await web.trx.getAccount(payee);
    expect(account.assetV2).toEqual([{ key: "1000001", value: 5 }]);
    expect(await solidTransfers(client.adapter, txid)).toEqual([]);
  });
});

describe("a payment on a fork above the solid block", () => {
  const sendTrx = async (to: string): Promise<string> => {
    const { faucet, mine, send, web } = ledger;
    const txid = await send(await web.transactionBuilder.sendTrx(to, 9, faucet));
    await mine();
    return txid;
  };
  const pendingTo = async (payee: string): Promise<readonly string[]> => {
    const pending = present(client.adapter.reader.pendingTransfers, "pending transfers");
    return (await pending(signal)).filter(({ to }) => to === payee).map(describeTransfer);
  };

  it("is pending until the fork drops it, and then unknown", async () => {
    const payee = fresh();
    const txid = await sendTrx(payee);
    expect(await pendingTo(payee)).toEqual([`${payee} ${coin} 9`]);
    await ledger.control("/reorg", { depth: 1, transactions: "drop" });
    await ledger.mine(2);
    expect(await pendingTo(payee)).toEqual([]);
    expect(await client.adapter.reader.statusOf(txid, [], signal)).toEqual({ kind: "unknown" });
  });

  it("is pending while it waits for a block of the other fork", async () => {
    const payee = fresh();
    const txid = await sendTrx(payee);
    await ledger.control("/reorg", { depth: 1, transactions: "return" });
    expect(await client.adapter.reader.statusOf(txid, [], signal)).toEqual({ kind: "pending" });
    await ledger.mine();
    expect(await pendingTo(payee)).toEqual([`${payee} ${coin} 9`]);
    await ledger.mine(depth);
    expect((await solidTransfers(client.adapter, txid)).map(describeTransfer)).toEqual([
      `${payee} ${coin} 9`,
    ]);
  });
});

describe("the balances of addresses", () => {
  it("are those of the requested block while later blocks change them", async () => {
    const { reader } = client.adapter;
    const payment = { destination: client.adapter.addressing.depositAt(900, null) };
    await own.pay({ ...payment, amount: { units: 2_000_000n, currency: coin } });
    await ledger.mine(depth + 1);
    const addresses = [own.hot, payment.destination.address, fresh()];
    const { hash } = await reader.tip(signal);
    const before = await reader.balancesAt(addresses, coin, hash, signal);
    expect(before?.[1]).toBe(2_000_000n);
    const second = await own.pay({ ...payment, amount: { units: 3_000_000n, currency: coin } });
    await ledger.mine(depth + 1);
    const now = await reader.balancesAt(addresses, coin, (await reader.tip(signal)).hash, signal);
    expect(now?.[1]).toBe(5_000_000n);
    const { fee } = (await ledger.web.trx.getTransactionInfo(second.txid)) as { fee?: number };
    expect(now?.[0]).toBe(
      present(before?.[0], "the hot account's balance") - 3_000_000n - BigInt(fee ?? 0),
    );
    // By now later blocks are solid, as when blocks arrive during the reading.
    const earlier = await reader.balancesAt(addresses, coin, hash, signal);
    expect(earlier).toEqual(before);
  });

  it("include tokens as of the requested block", async () => {
    const { reader } = client.adapter;
    const payee = fresh();
    await credited(ledger.usdt, "transfer(address,uint256)", [address(payee), uint(11)]);
    const { hash } = await reader.tip(signal);
    await ledger.send(
      await ledger.callOf(ledger.usdt, "transfer(address,uint256)", [address(payee), uint(4)]),
    );
    await ledger.mine(depth + 1);
    const { hash: newest } = await reader.tip(signal);
    expect(await reader.balancesAt([payee, fresh()], tether, newest, signal)).toEqual([15n, 0n]);
    expect(await reader.balancesAt([payee], tether, hash, signal)).toEqual([11n]);
    await ledger.mine(depth);
    expect(await reader.balancesAt([payee], tether, hash, signal)).toBeNull();
  });

  it("are unknown for a block that is not solid", async () => {
    const head = await ledger.web.trx.getCurrentBlock();
    const { reader } = client.adapter;
    expect(await reader.balancesAt([fresh()], coin, head.blockID, signal)).toBeNull();
  });
});

describe("spends", () => {
  it("are found by the account that signed, in solid blocks and newer ones", async () => {
    const { reader } = client.adapter;
    const destination = client.adapter.addressing.depositAt(901, null);
    const paid = await own.pay({ destination, amount: { units: 1_000_000n, currency: coin } });
    await ledger.mine();
    const pendingSpends = present(reader.pendingSpends, "pending spends");
    const expected = {
      txid: paid.txid,
      sender: own.hot,
      claims: [],
      payments: [
        {
          to: destination.address,
          address: destination.address,
          currency: coin,
          units: 1_000_000n,
        },
      ],
    };
    const isOurs = (source: string): boolean => source === own.hot;
    expect(await pendingSpends(isOurs, signal)).toEqual([{ ...expected, feeUnits: null }]);
    await ledger.mine(depth);
    expect(await pendingSpends(isOurs, signal)).toEqual([]);
    const content = present(await reader.readBlock(await reader.tip(signal), signal), "the block");
    const info = await ledger.web.trx.getTransactionInfo(paid.txid);
    expect(content.spends.sources()).toContain(own.hot);
    expect(content.spends.transactionsFrom(new Set([own.hot]))).toEqual([
      { ...expected, feeUnits: BigInt(info.fee) },
    ]);
  });
});
