import { sha256 } from "@noble/hashes/sha2.js";
import { utils } from "tronweb";
import { describe, expect, it } from "vitest";
import { fc } from "../../../test/support/property.ts";
import { fromCoreHex, toHexAddress } from "./address.ts";
import {
  bandwidthOf,
  buildRawData,
  refBlockOf,
  type TronCall,
  type TronTransaction,
  transferData,
} from "./build-transaction.ts";
import { readBody, writeBody } from "./draft-body.ts";

/*
 * tronweb encodes the same transactions to the same bytes. Ids are those of trustwallet/wallet-core (tests/chains/Tron/
 * SignerTests.cpp), whose token transfers carry the receiver's version byte in the call and are left out for that.
 */

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

/** The transaction in the JSON of java-tron's HTTP interface. */
function toNodeJson({ call, refBlock, expiration, timestamp, feeLimit }: TronTransaction): unknown {
  const owner_address = toHexAddress(call.from);
  const receiver_address = toHexAddress(call.to);
  const balance = Number(call.units);
  const shapes = {
    transfer: () => [
      "TransferContract",
      { owner_address, to_address: receiver_address, amount: balance },
    ],
    token: () => [
      "TriggerSmartContract",
      {
        owner_address,
        contract_address: toHexAddress(call.type === "token" ? call.contract : ""),
        data: transferData(call.to, call.units),
      },
    ],
    delegate: () => [
      "DelegateResourceContract",
      { owner_address, receiver_address, balance, resource: "ENERGY" },
    ],
    undelegate: () => [
      "UnDelegateResourceContract",
      { owner_address, receiver_address, balance, resource: "ENERGY" },
    ],
  };
  const [type, value] = shapes[call.type]() as [string, unknown];
  return {
    raw_data: {
      contract: [{ parameter: { value, type_url: `type.googleapis.com/protocol.${type}` }, type }],
      ref_block_bytes: refBlock.bytes,
      ref_block_hash: refBlock.hash,
      expiration: Number(expiration),
      timestamp: Number(timestamp),
      ...(feeLimit === 0n ? {} : { fee_limit: Number(feeLimit) }),
    },
  };
}

function encodedByTronweb(transaction: TronTransaction): string {
  const message: unknown = utils.transaction.txJsonToPb(toNodeJson(transaction));
  return utils.transaction.txPbToRawDataHex(message).toLowerCase();
}

const address = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => fromCoreHex(hexOf(bytes)));
/** What JSON numbers hold exactly. */
const integer = fc.bigInt({ min: 1n, max: BigInt(Number.MAX_SAFE_INTEGER) });
const call: fc.Arbitrary<TronCall> = fc.oneof(
  fc.record({
    type: fc.constantFrom("transfer", "delegate", "undelegate"),
    from: address,
    to: address,
    units: integer,
  }),
  fc.record({
    type: fc.constant("token" as const),
    from: address,
    contract: address,
    to: address,
    units: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  }),
);
const transaction: fc.Arbitrary<TronTransaction> = call.chain((created) =>
  fc.record({
    call: fc.constant(created),
    refBlock: fc
      .tuple(fc.nat(), fc.uint8Array({ minLength: 32, maxLength: 32 }))
      .map(([height, hash]) => refBlockOf({ height, hash: hexOf(hash) })),
    expiration: integer,
    timestamp: integer,
    feeLimit: created.type === "token" ? integer : fc.constant(0n),
  }),
);

describe("a built transaction", () => {
  it("has the bytes that tronweb encodes for it", () => {
    fc.assert(
      fc.property(transaction, (built) => {
        expect(hexOf(buildRawData(built))).toBe(encodedByTronweb(built));
      }),
    );
  });

  it("has the id that wallet-core expects for a transfer", () => {
    const built: TronTransaction = {
      call: {
        type: "transfer",
        from: "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC",
        to: "THTR75o8xXAgCTQqpiot2AFRAjvW1tSbVV",
        units: 2_000_000n,
      },
      refBlock: { bytes: "7b3b", hash: "b21ace8d6ac20e7e" },
      expiration: 1539331479000n,
      timestamp: 1539295479000n,
      feeLimit: 0n,
    };
    expect(hexOf(sha256(buildRawData(built)))).toBe(
      "dc6f6d9325ee44ab3c00528472be16e1572ab076aa161ccd12515029869d0451",
    );
  });

  it("takes as much bandwidth as its signed bytes and its result", () => {
    fc.assert(
      fc.property(transaction, (built) => {
        // The encoding of `Transaction`: raw_data and a signature of 65 bytes, each with its key and its length.
        const rawLength = buildRawData(built).length;
        const lengthBytes = rawLength < 128 ? 1 : 2;
        expect(bandwidthOf(built)).toBe(BigInt(1 + lengthBytes + rawLength + 67 + 64));
      }),
    );
  });

  it("takes 268 bytes of bandwidth for an ordinary transfer, and 345 for a token transfer", () => {
    const common = {
      from: "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC",
      to: "THTR75o8xXAgCTQqpiot2AFRAjvW1tSbVV",
      units: 100_000_000n,
    };
    const rest = {
      refBlock: refBlockOf({ height: 70_000_000, hash: "ab".repeat(32) }),
      expiration: 1_763_900_000_000n,
      timestamp: 1_763_899_000_000n,
    };
    expect(bandwidthOf({ call: { type: "transfer", ...common }, ...rest, feeLimit: 0n })).toBe(
      268n,
    );
    const contract = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";
    expect(
      bandwidthOf({ call: { type: "token", contract, ...common }, ...rest, feeLimit: 30_000_000n }),
    ).toBe(345n);
  });

  it("refers to a block by the end of its height and the middle of its id", () => {
    const hash = "0000000003a5f6d8e1f1b28e9c3a7d5504f0c3b2a19088776655443322110011";
    expect(refBlockOf({ height: 0x03a5f6d8, hash })).toEqual({
      bytes: "f6d8",
      hash: "e1f1b28e9c3a7d55",
    });
  });
});

describe("the body of a draft", () => {
  it("states what its transaction does and when it expires", () => {
    fc.assert(
      fc.property(transaction, fc.option(fc.nat()), (built, keyIndex) => {
        const body = writeBody({ ...built, keyIndex });
        expect(readBody(body)).toEqual({ call: built.call, expiration: built.expiration });
        expect(body["rawData"]).toBe(encodedByTronweb(built));
      }),
    );
  });
});
