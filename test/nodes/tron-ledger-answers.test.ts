import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../src/platform/kernel/assert.ts";
import type { JsonValue } from "../../src/platform/kernel/json.ts";
import artifacts from "../../src/sandbox/contracts/artifacts.gen.json" with { type: "json" };
import { type PrivateTron, startPrivateTron } from "../support/private-tron.ts";
import recorded from "../vectors/tron-node-answers.json" with { type: "json" };

const transferSelector = "transfer(address,uint256)";
/** Members whose content depends on what was deployed or installed. */
const ownContent = new Set(["abi", "smart_contract.abi"]);
/** Their records in the documentation are excerpts: the ledger's answers contain more. */
const excerpts = new Set(["getnodeinfo"]);

describe("an answer of the simulated TRON ledger", () => {
  /* Its members and their types are those of an answer that a real node gave to the same question. */

  let ledger: PrivateTron;
  const answers = new Map<string, JsonValue>();

  beforeAll(async () => {
    ledger = await startPrivateTron();
    for (const [name, answer] of await collectAnswers(ledger)) answers.set(name, answer);
  });
  afterAll(() => ledger.stop());

  it.each(recorded)("to $name has the members and types of a real node's", ({ name, answer }) => {
    const own = present(answers.get(name), `an own answer to ${name}`);
    const expected = shapeOf(answer);
    if (excerpts.has(name)) expect(shapeOf(own)).toMatchObject(expected as object);
    else expect(shapeOf(own)).toEqual(expected);
  });

  it("is compared with a real one for every recorded request, and for no other", () => {
    expect([...answers.keys()].toSorted()).toEqual(recorded.map(({ name }) => name).toSorted());
  });
});

type Shape = string | { readonly [member: string]: Shape };

/** Types of all members; a list is described by its first item, text by what it encodes. */
function shapeOf(value: JsonValue, path = ""): Shape {
  if (ownContent.has(path)) return "any";
  if (Array.isArray(value)) {
    const [first] = value as readonly JsonValue[];
    return first === undefined ? "empty list" : { "[0]": shapeOf(first, `${path}[]`) };
  }
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        shapeOf(member, path === "" ? name : `${path}.${name}`),
      ]),
    );
  return typeof value === "string" ? textShape(value) : typeof value;
}

function textShape(text: string): string {
  if (/^41[0-9a-f]{40}$/.test(text)) return "address in hexadecimal";
  if (/^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(text)) return "address in base58";
  if (/^[0-9a-f]{40}$/.test(text)) return "twenty bytes";
  if (/^[0-9a-f]{64}$/.test(text)) return "32 bytes";
  return /^([0-9a-f]{2})+$/.test(text) ? "bytes" : "text";
}

/** Brings the ledger into each recorded situation and asks the same. */
async function collectAnswers(ledger: PrivateTron): Promise<ReadonlyMap<string, JsonValue>> {
  const { ask: askNode, web, usdt, faucet, mine, newAccount, send, callOf, control } = ledger;
  const ask = (path: string, body: object = {}): Promise<JsonValue> => askNode(path, body);
  const builder = web.transactionBuilder;
  const hexOf = (address: string): string => web.address.toHex(address);
  const infoOf = async (txid: string): Promise<JsonValue> => {
    await mine();
    return ask("/wallet/gettransactioninfobyid", { value: txid });
  };
  const tokensTo = (to: string, units: number) => [
    { type: "address", value: to },
    { type: "uint256", value: units },
  ];
  const payTokens = async (from: { address: string; privateKey: string }, feeLimit: number) => {
    const options = { from: from.address, feeLimit };
    const call = await callOf(usdt, transferSelector, tokensTo(from.address, 5), options);
    return await send(call, from.privateKey);
  };
  const answers = new Map<string, JsonValue>();

  const payer = await newAccount();
  const opening = await send(await builder.sendTrx(payer.address, 9_000_000_000, faucet));
  answers.set("gettransactioninfobyid of a transfer that makes an account", await infoOf(opening));
  await send(await builder.sendAsset(payer.address, 5, "1000001", faucet));
  const tokens = await send(await callOf(usdt, transferSelector, tokensTo(payer.address, 1000)));
  answers.set("gettransactionlistfrompending", await ask("/wallet/gettransactionlistfrompending"));
  answers.set("getpendingsize", await ask("/wallet/getpendingsize"));
  await mine();
  answers.set("gettransactionbyid", await ask("/wallet/gettransactionbyid", { value: tokens }));
  answers.set("getaccount", await ask("/wallet/getaccount", { address: hexOf(faucet) }));
  const ofFaucet = { address: faucet, visible: true };
  answers.set("getaccountresource", await ask("/wallet/getaccountresource", ofFaucet));
  answers.set("getaccountnet", await ask("/wallet/getaccountnet", ofFaucet));

  const transfer = async (sun: number) =>
    send(await builder.sendTrx(faucet, sun, payer.address), payer.privateKey);
  answers.set("gettransactioninfobyid of a transfer", await infoOf(await transfer(1)));
  await transfer(2);
  const paid = await transfer(3);
  answers.set("gettransactioninfobyid of a transfer that pays for its bytes", await infoOf(paid));
  const { blockNumber } = (await ask("/wallet/gettransactioninfobyid", { value: paid })) as {
    readonly blockNumber: number;
  };
  // The first receipt of this block is free; the recorded ones paid.
  await transfer(4);
  await mine();
  const paying = { num: blockNumber + 1 };
  answers.set(
    "gettransactioninfobyblocknum",
    await ask("/wallet/gettransactioninfobyblocknum", paying),
  );
  answers.set("getblock", await ask("/wallet/getblock", { id_or_num: String(blockNumber) }));

  const { abi, bytecode } = artifacts.PayingWallet;
  const deployment = await builder.createSmartContract(
    { abi, bytecode, name: "PayingWallet", userFeePercentage: 0, feeLimit: 1_000_000_000 },
    faucet,
  );
  await send(deployment);
  await mine();
  const wallet = deployment.contract_address;
  answers.set("getcontract", await ask("/wallet/getcontract", { value: wallet }));
  await send(await callOf(usdt, transferSelector, tokensTo(web.address.fromHex(wallet), 100)));
  await mine();
  const onward = [
    { type: "address", value: usdt },
    { type: "address", value: faucet },
    { type: "uint256[]", value: [1] },
  ];
  const forwarded = await send(
    await callOf(wallet, "payTokens(address,address,uint256[])", onward, { from: payer.address }),
    payer.privateKey,
  );
  answers.set("gettransactioninfobyid of a contract that calls another", await infoOf(forwarded));

  answers.set("getcontractinfo", await ask("/wallet/getcontractinfo", { value: wallet }));

  const staking = {
    owner_address: hexOf(payer.address),
    frozen_balance: 400_000_000,
    resource: "ENERGY",
  };
  answers.set("freezebalancev2", await ask("/wallet/freezebalancev2", staking));
  await send(await builder.freezeBalanceV2(400_000_000, "ENERGY", payer.address), payer.privateKey);
  await mine();
  // After a day, all resources are unused again, and then once more.
  await control("/mine", { blocks: 1, seconds: 90_000 });
  const ofPayer = { address: payer.address, visible: true };
  answers.set("getaccountresource of a staker", await ask("/wallet/getaccountresource", ofPayer));
  const lent = { from: payer.address, to: faucet };
  await send(
    await builder.delegateResource(1_000_000, lent.to, "ENERGY", lent.from, true, 1000),
    payer.privateKey,
  );
  await mine();
  const pair = { fromAddress: hexOf(lent.from), toAddress: hexOf(lent.to) };
  answers.set("getdelegatedresourcev2", await ask("/wallet/getdelegatedresourcev2", pair));
  await control("/mine", { blocks: 1, seconds: 90_000 });
  await control("/set-energy-factor", { contract: usdt, factor: 34_000 });
  answers.set(
    "gettransactioninfobyid of a USDT transfer",
    await infoOf(await payTokens(payer, 100_000_000)),
  );
  const poor = await newAccount();
  await send(await builder.sendTrx(poor.address, 900_000_000, faucet));
  await send(await callOf(usdt, transferSelector, tokensTo(poor.address, 10)));
  await mine();
  const failed = await infoOf(await payTokens(poor, 1_000_000));
  answers.set("gettransactioninfobyid of a USDT transfer without energy", failed);

  const payment = { owner_address: hexOf(faucet), to_address: hexOf(poor.address), amount: 1 };
  answers.set("createtransaction", await ask("/wallet/createtransaction", payment));
  const call = { owner_address: hexOf(faucet), contract_address: hexOf(usdt) };
  const parameter = hexOf(poor.address).slice(2).padStart(64, "0");
  const reading = { ...call, function_selector: "balanceOf(address)", parameter };
  // The factor would add a penalty, which the recorded answers do not have.
  await control("/set-energy-factor", { contract: usdt, factor: 0 });
  answers.set("triggerconstantcontract", await ask("/wallet/triggerconstantcontract", reading));
  answers.set("estimateenergy", await ask("/wallet/estimateenergy", reading));
  const moving = {
    ...call,
    function_selector: transferSelector,
    parameter: parameter + "1".padStart(64, "0"),
    fee_limit: 100_000_000,
  };
  answers.set("triggersmartcontract", await ask("/wallet/triggersmartcontract", moving));
  const unsigned = await builder.sendTrx(poor.address, 1, faucet);
  const refused = await ask("/wallet/broadcasttransaction", unsigned);
  answers.set("broadcasttransaction that is refused", refused);
  const signed = await web.trx.sign(unsigned);
  answers.set("broadcasttransaction", await ask("/wallet/broadcasttransaction", signed));
  answers.set("validateaddress", await ask("/wallet/validateaddress", { address: hexOf(faucet) }));
  answers.set("getenergyprices", await ask("/wallet/getenergyprices"));
  answers.set("getchainparameters", await ask("/wallet/getchainparameters"));
  answers.set("getnodeinfo", await ask("/wallet/getnodeinfo"));
  return answers;
}
