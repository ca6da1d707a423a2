import type { Types } from "tronweb";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type PrivateTron, startPrivateTron } from "../support/private-tron.ts";

type BlockHeader = Pick<
  Types.Transaction["raw_data"],
  "ref_block_bytes" | "ref_block_hash" | "expiration" | "timestamp"
>;
type Head = { readonly block_header: { readonly raw_data: { readonly timestamp: number } } };
type Refused = { readonly code?: string; readonly message?: string; readonly result?: boolean };

describe("a broadcast to the simulated TRON ledger", () => {
  /* Each refusal has java-tron's code and its text, in hexadecimal unless `visible` is set. */

  let ledger: PrivateTron;
  let address: string;
  let privateKey: string;

  beforeAll(async () => {
    ledger = await startPrivateTron();
  });
  afterAll(() => ledger.stop());
  beforeEach(async () => {
    const { web, newAccount, mine } = ledger;
    ({ address, privateKey } = await newAccount());
    await web.trx.sendTransaction(address, 10_000_000);
    await mine();
  });

  /** A payment of the account to the faucet, changed before it is signed. */
  async function payment(
    changes: Partial<BlockHeader> = {},
    sun = 1_000_000,
  ): Promise<Types.Transaction> {
    const { web, faucet } = ledger;
    const { raw_data } = await web.transactionBuilder.sendTrx(faucet, sun, address);
    const { ref_block_bytes, ref_block_hash, expiration, timestamp } = raw_data;
    const blockHeader = { ref_block_bytes, ref_block_hash, expiration, timestamp, ...changes };
    return web.transactionBuilder.sendTrx(faucet, sun, address, { blockHeader });
  }

  async function broadcast(transaction: Types.Transaction, key = privateKey): Promise<Refused> {
    // Unlike tronweb's other functions, this one signs with any key.
    const signed = ledger.web.utils.crypto.signTransaction(key, structuredClone(transaction));
    return ledger.ask<Refused>("/wallet/broadcasttransaction", signed);
  }

  function refusal(code: string, text: string): Refused {
    const message = Buffer.from(text).toString("hex");
    return { code, message, txid: expect.stringMatching(/^[0-9a-f]{64}$/) as string } as Refused;
  }

  it("gets DUP_TRANSACTION_ERROR if it repeats a pending or included transaction", async () => {
    const paid = await payment();
    expect(await broadcast(paid)).toMatchObject({ result: true });
    const duplicate = refusal("DUP_TRANSACTION_ERROR", "Dup transaction.");
    expect(await broadcast(paid)).toEqual(duplicate);
    await ledger.mine();
    expect(await broadcast(paid)).toEqual(duplicate);
  });

  it("gets SIGERROR if it is signed by another key, twice, or not at all", async () => {
    const other = await ledger.newAccount();
    const paid = await payment();
    const { code, message } = await broadcast(paid, other.privateKey);
    expect(code).toBe("SIGERROR");
    expect(Buffer.from(message ?? "", "hex").toString()).toMatch(
      new RegExp(
        `^Validate signature error: [0-9a-f]{130} is signed by ${other.address} but it is`,
      ),
    );
    const unsigned = await ledger.ask("/wallet/broadcasttransaction", paid);
    const missing = "Validate signature error: miss sig or contract";
    expect(unsigned).toEqual(refusal("SIGERROR", missing));
    const signed = await ledger.web.trx.sign(paid, privateKey);
    const signature = [...signed.signature, ...signed.signature];
    const twice = await ledger.ask("/wallet/broadcasttransaction", { ...signed, signature });
    const tooMany =
      "Validate signature error: Signature count is 2 more than key counts of permission : 1";
    expect(twice).toEqual(refusal("SIGERROR", tooMany));
  });

  it("gets TAPOS_ERROR if its reference block is of another fork or too old", async () => {
    const unknown = refusal("TAPOS_ERROR", "Tapos check error.");
    expect(await broadcast(await payment({ ref_block_hash: "00".repeat(8) }))).toEqual(unknown);
    expect(await broadcast(await payment({ ref_block_bytes: "ffff" }))).toEqual(unknown);
  });

  it("gets TRANSACTION_EXPIRATION_ERROR if it has expired, or expires more than a day ahead", async () => {
    const { ask, control } = ledger;
    const expired = refusal("TRANSACTION_EXPIRATION_ERROR", "Transaction expired");
    const head = await ask<Head>("/wallet/getnowblock");
    const { timestamp } = head.block_header.raw_data;
    const dayMs = 86_400_000;
    expect(await broadcast(await payment({ expiration: timestamp }))).toEqual(expired);
    expect(await broadcast(await payment({ expiration: timestamp + dayMs + 1 }))).toEqual(expired);
    const lasting = await payment({ expiration: timestamp + dayMs });
    const waiting = await payment({ expiration: timestamp + 60_000 }, 7);
    await control("/mine", { blocks: 1, seconds: 120 });
    expect(await broadcast(waiting)).toEqual(expired);
    expect(await broadcast(lasting)).toMatchObject({ result: true });
  });

  it("gets CONTRACT_VALIDATE_ERROR if the contract's own checks fail", async () => {
    const poor = await payment({}, 9_999_999_999);
    const insufficient = "Validate TransferContract error, balance is not sufficient.";
    expect(await broadcast(poor)).toEqual(
      refusal("CONTRACT_VALIDATE_ERROR", `Contract validate error : ${insufficient}`),
    );
    const stranger = await ledger.newAccount();
    const drafted = await ledger.web.transactionBuilder.sendTrx(address, 1, stranger.address);
    expect(await broadcast(drafted, stranger.privateKey)).toEqual(
      refusal(
        "CONTRACT_VALIDATE_ERROR",
        `Contract validate error : account [${stranger.address}] does not exist`,
      ),
    );
    const toContract = await ledger.web.transactionBuilder.sendTrx(ledger.usdt, 1, address);
    const forbidden = "Contract validate error : Cannot transfer TRX to a smartContract.";
    expect(await broadcast(toContract)).toEqual(refusal("CONTRACT_VALIDATE_ERROR", forbidden));
  });

  it("gets BANDWITH_ERROR if the sender can pay neither bandwidth nor its fee", async () => {
    const { ask, control } = ledger;
    const everything = (
      await ask<{ balance: number }>("/wallet/getaccount", {
        address,
        visible: true,
      })
    ).balance;
    // The free bandwidth of a day is enough for two transfers.
    await broadcast(await payment({}, 1));
    await broadcast(await payment({}, 2));
    await control("/mine", { blocks: 1 });
    expect(await broadcast(await payment({}, everything - 3 - 100_000 - 268_000))).toMatchObject({
      result: true,
    });
    await control("/mine", { blocks: 1 });
    expect(await broadcast(await payment({}, 3))).toEqual(
      refusal("BANDWITH_ERROR", "Account resource insufficient error."),
    );
  });

  it("gets a plain-text message if `visible` is set", async () => {
    const { web, ask } = ledger;
    const paid = await payment({ ref_block_hash: "00".repeat(8) });
    const signed = await web.trx.sign(paid, privateKey);
    const hex = await ask("/wallet/broadcasthex", { transaction: hexOf(web, signed) });
    expect(hex).toMatchObject({
      result: false,
      code: "TAPOS_ERROR",
      message: "Tapos check error.",
    });
  });

  it("gets an exception if it cannot be parsed", async () => {
    const { ask } = ledger;
    const nothing = { Error: "class java.lang.NullPointerException : null" };
    expect(await ask("/wallet/broadcasttransaction", { signature: [] })).toEqual(nothing);
    expect(await ask("/wallet/broadcasthex", { transaction: "0a05" })).toEqual({
      Error: "class com.google.protobuf.InvalidProtocolBufferException : cut off",
    });
    const empty = await ask("/wallet/broadcasttransaction", { raw_data: { contract: [] } });
    expect(empty).toEqual(
      refusal("CONTRACT_VALIDATE_ERROR", "Contract validate error : No contract!"),
    );
  });
});

/** A signed transaction as bytes: raw data (field 1) and signature (field 2). */
function hexOf(
  web: PrivateTron["web"],
  { raw_data_hex, signature }: Types.SignedTransaction,
): string {
  const field = (tag: string, hex: string): string => {
    const length = hex.length / 2;
    const low = (length & 0x7f) | (length > 0x7f ? 0x80 : 0);
    const bytes = length > 0x7f ? [low, length >> 7] : [low];
    return tag + web.utils.code.byteArray2hexStr(Uint8Array.from(bytes)).toLowerCase() + hex;
  };
  return field("0a", raw_data_hex) + signature.map((one) => field("12", one)).join("");
}
