import { afterAll, beforeAll, describe, expect, it } from "vitest";
import artifacts from "../../src/sandbox/contracts/artifacts.gen.json" with { type: "json" };
import { type PrivateTron, startPrivateTron } from "../support/private-tron.ts";

describe("the simulated TRON ledger", () => {
  /* tronweb, as published, builds, signs and sends; the ledger's answers are read back through it. */

  let ledger: PrivateTron;

  beforeAll(async () => {
    ledger = await startPrivateTron();
  });
  afterAll(() => ledger.stop());

  it("moves TRX, and charges a new account its activation", async () => {
    const { web, faucet, mine, newAccount } = ledger;
    const { address } = await newAccount();
    const before = await web.trx.getUnconfirmedBalance(faucet);
    const sent = await web.trx.sendTransaction(address, 5_000_000);
    expect(sent.result).toBe(true);
    await mine();
    expect(await web.trx.getUnconfirmedBalance(address)).toBe(5_000_000);
    expect(await web.trx.getUnconfirmedBalance(faucet)).toBe(before - 5_000_000 - 1_100_000);
    const info = await web.trx.getUnconfirmedTransactionInfo(sent.txid);
    expect(info).toMatchObject({ id: sent.txid, fee: 1_100_000, receipt: { net_fee: 100_000 } });
    const stored = await web.trx.getTransaction(sent.txid);
    expect(stored.ret).toEqual([{ contractRet: "SUCCESS" }]);
    expect(stored.raw_data_hex).toBe(sent.transaction.raw_data_hex);
  });

  it("moves TRC-20 tokens, whose transfer the receipt logs", async () => {
    const { web, usdt, faucet, mine, newAccount, send, callOf, tokensOf } = ledger;
    const { address } = await newAccount();
    const parameters = [
      { type: "address", value: address },
      { type: "uint256", value: 7 },
    ];
    const txid = await send(await callOf(usdt, "transfer(address,uint256)", parameters));
    await mine();
    expect(await tokensOf(address)).toBe(7n);
    const info = await web.trx.getUnconfirmedTransactionInfo(txid);
    const topicOf = (account: string): string =>
      `${"0".repeat(24)}${web.address.toHex(account).slice(2)}`;
    expect(info.receipt.result).toBe("SUCCESS");
    expect(info.log).toEqual([
      {
        address: web.address.toHex(usdt).slice(2),
        topics: [
          "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
          topicOf(faucet),
          topicOf(address),
        ],
        data: "7".padStart(64, "0"),
      },
    ]);
    // Receiving a token makes no account.
    expect(await web.trx.getUnconfirmedAccount(address)).toEqual({});
  });

  it("shows a transaction as pending, then in a block, then as solid 19 blocks later", async () => {
    const { web, faucet, ask, mine, newAccount } = ledger;
    const { address } = await newAccount();
    const { txid } = await web.trx.sendTransaction(address, 1);
    const value = { value: txid };
    expect(await ask("/wallet/gettransactionfrompending", value)).toMatchObject({ txID: txid });
    expect(await ask("/wallet/gettransactionlistfrompending")).toEqual({ txId: [txid] });
    expect(await ask("/wallet/gettransactioninfobyid", value)).toEqual({});
    await mine();
    expect(await ask("/wallet/gettransactionfrompending", value)).toEqual({});
    expect(await ask("/wallet/gettransactioninfobyid", value)).toMatchObject({ id: txid });
    await mine(18);
    expect(await ask("/walletsolidity/gettransactioninfobyid", value)).toEqual({});
    expect(await web.trx.getBalance(address)).toBe(0);
    await mine();
    expect(await ask("/walletsolidity/gettransactioninfobyid", value)).toMatchObject({ id: txid });
    expect(await web.trx.getBalance(address)).toBe(1);
    expect(await web.trx.getBalance(faucet)).toBe(await web.trx.getUnconfirmedBalance(faucet));
  });

  it("deploys contracts, and pays from them in internal transactions", async () => {
    const { web, mine, newAccount, faucet, send, callOf } = ledger;
    const { abi, bytecode } = artifacts.PayingWallet;
    const deployment = await web.transactionBuilder.createSmartContract(
      { abi: JSON.stringify(abi), bytecode, feeLimit: 1_000_000_000, name: "PayingWallet" },
      faucet,
    );
    await send(deployment);
    await mine();
    const contract = deployment.contract_address;
    const one = await newAccount();
    const other = await newAccount();
    const payments = [
      { type: "address[]", value: [one.address, other.address] },
      { type: "uint256[]", value: [3, 4] },
    ];
    const call = await callOf(contract, "payAll(address[],uint256[])", payments, { callValue: 10 });
    const txid = await send(call);
    await mine();
    const info = (await web.trx.getUnconfirmedTransactionInfo(txid)) as unknown as {
      readonly internal_transactions: readonly Record<string, unknown>[];
    };
    const from = web.address.toHex(contract);
    const payment = (to: string, callValue: number) => ({
      hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      caller_address: from,
      transferTo_address: web.address.toHex(to),
      callValueInfo: [{ callValue }],
      note: "63616c6c",
    });
    expect(info.internal_transactions).toEqual([
      payment(one.address, 3),
      payment(other.address, 4),
    ]);
    expect(await web.trx.getUnconfirmedBalance(one.address)).toBe(3);
    expect(await web.trx.getUnconfirmedBalance(other.address)).toBe(4);
    expect(await web.trx.getUnconfirmedBalance(contract)).toBe(3);
  });
});
