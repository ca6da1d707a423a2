import { afterAll, beforeAll, describe, expect, it } from "vitest";
import artifacts from "../../src/sandbox/contracts/artifacts.gen.json" with { type: "json" };
import { type PrivateTron, startPrivateTron } from "../support/private-tron.ts";

type Built = {
  readonly visible: boolean;
  readonly txID: string;
  readonly contract_address?: string;
  readonly raw_data: { readonly contract: readonly unknown[]; readonly data?: string };
};

describe("the simulated TRON ledger's node", () => {
  /* java-tron's conventions beyond tronweb's use of them: GET, visible answers, exceptions, and what it builds for callers. */

  let ledger: PrivateTron;
  let hexOf: (address: string) => string;

  beforeAll(async () => {
    ledger = await startPrivateTron();
    hexOf = (address) => ledger.web.address.toHex(address);
  });
  afterAll(() => ledger.stop());

  async function get(path: string): Promise<unknown> {
    const response = await fetch(ledger.tron.url + path);
    return response.json();
  }

  it("answers GET requests like POST requests", async () => {
    const { ask, faucet } = ledger;
    const head = await ask("/wallet/getnowblock");
    expect(await get("/wallet/getnowblock")).toEqual(head);
    expect(await get("/wallet/getblockbynum?num=3")).toEqual(
      await ask("/wallet/getblockbynum", { num: 3 }),
    );
    expect(await get("/wallet/getblock?id_or_num=3&detail=true&visible=true")).toEqual(
      await ask("/wallet/getblock", { id_or_num: "3", detail: true, visible: true }),
    );
    const account = await ask("/wallet/getaccount", { address: faucet, visible: true });
    expect(await get(`/wallet/getaccount?address=${faucet}&visible=true`)).toEqual(account);
    expect(account["address"]).toBe(faucet);
    expect(await get(`/wallet/getaccount?address=${hexOf(faucet)}`)).toMatchObject({
      address: hexOf(faucet),
    });
  });

  it("finds blocks by number, id, range and age", async () => {
    const { ask } = ledger;
    type Blocks = { readonly block: readonly { readonly blockID: string }[] };
    const idOf = async (num: number) =>
      (await ask<{ blockID: string }>("/wallet/getblockbynum", { num })).blockID;
    const ids = [await idOf(18), await idOf(19), await idOf(20)];
    const range = await ask<Blocks>("/wallet/getblockbylimitnext", { startNum: 18, endNum: 21 });
    expect(range.block.map(({ blockID }) => blockID)).toEqual(ids);
    const latest = await ask<Blocks>("/wallet/getblockbylatestnum", { num: 3 });
    expect(latest.block.map(({ blockID }) => blockID)).toEqual(ids);
    expect(await ask("/wallet/getblockbyid", { value: ids[1] })).toHaveProperty("blockID", ids[1]);
    expect(await ask("/wallet/getblock", { id_or_num: ids[1] })).toHaveProperty("blockID", ids[1]);
    expect(await ask("/wallet/getblockbynum", { num: 1000 })).toEqual({});
    expect(await ask("/walletsolidity/getblockbynum", { num: 20 })).toEqual({});
    expect(await ask("/wallet/getblock", { id_or_num: "-1" })).toEqual({
      Error: "num must be non-positive number.",
    });
    expect(await ask("/wallet/getblock", { id_or_num: "abc" })).toEqual({
      Error: "id must be legal block hash.",
    });
    expect(await ask("/wallet/gettransactioninfobyblocknum", { num: 3 })).toEqual([]);
    expect(await ask("/wallet/gettransactioninfobyblocknum", { num: 0 })).toEqual({});
  });

  it("names the exception for a request that it cannot parse", async () => {
    const { ask, faucet, tron } = ledger;
    const parse = "class org.tron.core.services.http.JsonFormat$ParseException";
    expect(await ask("/wallet/getaccount", { address: "xyz" })).toEqual({
      Error: `${parse} : INVALID hex String`,
    });
    expect(await ask("/wallet/getaccount", { address: "0OIl", visible: true })).toEqual({
      Error: `${parse} : INVALID base58 String`,
    });
    const wrongChecksum = `${faucet.slice(0, -1)}${faucet.endsWith("x") ? "y" : "x"}`;
    expect(await ask("/wallet/getaccount", { address: wrongChecksum, visible: true })).toEqual({
      Error: "class java.lang.NullPointerException : null",
    });
    const response = await fetch(`${tron.url}/wallet/getaccount`, { method: "POST", body: "{" });
    expect(JSON.stringify(await response.json())).toContain("org.tron.json.JSONException");
    expect((await fetch(`${tron.url}/wallet/getnothing`)).status).toBe(404);
    expect((await fetch(`${tron.url}/walletsolidity/broadcasthex`)).status).toBe(404);
  });

  it("builds transactions for a caller, and refuses those that would fail", async () => {
    const { ask, faucet, newAccount, web, mine } = ledger;
    const { address } = await newAccount();
    const payment = { owner_address: faucet, to_address: address, amount: 5, visible: true };
    const built = await ask<Built>("/wallet/createtransaction", {
      ...payment,
      extra_data: "for lunch",
      Permission_id: 2,
    });
    expect(built.visible).toBe(true);
    expect(built.raw_data.data).toBe(Buffer.from("for lunch").toString("hex"));
    expect(built.raw_data.contract[0]).toMatchObject({
      type: "TransferContract",
      Permission_id: 2,
    });
    const failing = await ask("/wallet/createtransaction", { ...payment, amount: 0 });
    expect(failing).toEqual({
      Error:
        "class org.tron.core.exception.ContractValidateException : Amount must be greater than 0.",
    });
    const creation = { owner_address: hexOf(faucet), account_address: hexOf(address) };
    const created = await ask<Built>("/wallet/createaccount", creation);
    const signed = ledger.web.utils.crypto.signTransaction(ledger.tron.faucetPrivateKey, created);
    expect(await ask("/wallet/broadcasttransaction", signed)).toMatchObject({ result: true });
    await mine();
    expect(await web.trx.getUnconfirmedAccount(address)).toHaveProperty("create_time");
  });

  it("builds deployments, and shows the contract with its code", async () => {
    const { ask, faucet, mine, web, tron } = ledger;
    const { abi, bytecode } = artifacts.PayingWallet;
    const built = await ask<Built>("/wallet/deploycontract", {
      owner_address: hexOf(faucet),
      abi: JSON.stringify(abi),
      bytecode,
      name: "PayingWallet",
      fee_limit: 1_000_000_000,
      origin_energy_limit: 1_000_000,
      consume_user_resource_percent: 100,
    });
    const signed = web.utils.crypto.signTransaction(tron.faucetPrivateKey, built);
    expect(await ask("/wallet/broadcasttransaction", signed)).toMatchObject({ result: true });
    await mine();
    const value = built.contract_address;
    const info = await ask("/wallet/getcontractinfo", { value });
    expect(info["runtimecode"]).toMatch(/^6080/);
    expect(info["smart_contract"]).toMatchObject({ name: "PayingWallet", contract_address: value });
    expect(await ask("/wallet/getcontract", { value: hexOf(faucet) })).toEqual({});
  });

  it("distinguishes a reverted call from a call of a missing contract", async () => {
    const { ask, faucet, usdt } = ledger;
    const call = {
      owner_address: hexOf(faucet),
      contract_address: hexOf(usdt),
      function_selector: "transferFrom(address,address,uint256)",
      parameter: "0".repeat(190) + "05",
    };
    expect(await ask("/wallet/triggerconstantcontract", call)).toMatchObject({
      result: { result: true, message: Buffer.from("REVERT opcode executed").toString("hex") },
      transaction: { ret: [{ ret: "FAILED" }] },
    });
    const missing = { ...call, contract_address: hexOf(faucet), visible: false };
    expect(await ask("/wallet/triggerconstantcontract", missing)).toEqual({
      result: {
        code: "CONTRACT_VALIDATE_ERROR",
        message: Buffer.from("Smart contract is not exist.").toString("hex"),
      },
    });
    expect(
      await ask("/wallet/triggersmartcontract", { contract_address: "41", visible: true }),
    ).toEqual({
      result: {
        code: "OTHER_ERROR",
        message: "class java.security.InvalidParameterException : owner_address isn't set.",
      },
    });
  });

  it("shows logs and internal transactions with addresses in base58 if `visible` is set", async () => {
    const { ask, usdt, faucet, send, callOf, newAccount, mine } = ledger;
    const { address } = await newAccount();
    const parameters = [
      { type: "address", value: address },
      { type: "uint256", value: 1 },
    ];
    const txid = await send(await callOf(usdt, "transfer(address,uint256)", parameters));
    await mine();
    const info = await ask("/wallet/gettransactioninfobyid", { value: txid, visible: true });
    expect(info).toMatchObject({ contract_address: usdt, log: [{ address: usdt }] });
    const read = await ask("/wallet/gettransactionbyid", { value: txid, visible: true });
    expect(JSON.stringify(read)).toContain(faucet);
  });

  it("unstakes after fourteen days, and lists delegations", async () => {
    const { ask, web, send, mine, newAccount, control } = ledger;
    const { address, privateKey } = await newAccount();
    const other = await newAccount();
    await send(await web.transactionBuilder.sendTrx(address, 100_000_000));
    await send(await web.transactionBuilder.sendTrx(other.address, 1));
    await mine();
    const builder = web.transactionBuilder;
    await send(await builder.freezeBalanceV2(10_000_000, "BANDWIDTH", address), privateKey);
    await mine();
    const lent = await builder.delegateResource(2_000_000, other.address, "BANDWIDTH", address);
    await send(lent, privateKey);
    await mine();
    const index = { value: address, visible: true };
    expect(await ask("/wallet/getdelegatedresourceaccountindexv2", index)).toEqual({
      account: address,
      toAccounts: [other.address],
    });
    await send(await builder.unfreezeBalanceV2(3_000_000, "BANDWIDTH", address), privateKey);
    await mine();
    const account = await web.trx.getUnconfirmedAccount(address);
    expect(account.unfrozenV2).toMatchObject([{ unfreeze_amount: 3_000_000 }]);
    const before = account.balance;
    for (let day = 0; day < 14; day += 7) await control("/mine", { seconds: 8 * 86_400 });
    await send(await builder.unfreezeBalanceV2(1_000_000, "BANDWIDTH", address), privateKey);
    await mine();
    expect(await web.trx.getUnconfirmedBalance(address)).toBe(before + 3_000_000);
  });

  it("returns the signers of a transaction", async () => {
    const { ask, web, faucet, newAccount } = ledger;
    const { address } = await newAccount();
    const paid = await web.transactionBuilder.sendTrx(address, 1, faucet);
    const unsigned = await web.trx.getSignWeight(paid);
    expect(unsigned.result).toEqual({ code: "NOT_ENOUGH_PERMISSION" });
    const signed = await web.trx.sign(paid);
    expect(await web.trx.getSignWeight(signed)).toMatchObject({
      approved_list: [hexOf(faucet)],
      current_weight: 1,
      permission: { permission_name: "owner", threshold: 1 },
    });
    expect(await web.trx.getApprovedList(signed)).toMatchObject({ approved_list: [hexOf(faucet)] });
    const extended = await web.transactionBuilder.extendExpiration(paid, 600);
    expect(extended.raw_data.expiration).toBe(paid.raw_data.expiration + 600_000);
    expect(await ask("/wallet/validateaddress", { address: "T" })).toEqual({
      result: false,
      message: "Length error",
    });
  });
});
