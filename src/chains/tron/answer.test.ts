/** java-tron's answers as nodes print them: recorded ones are from the documentation of TRON and of gateways. */
import { describe, expect, it } from "vitest";
import { Malformed } from "../rpc/answer.ts";
import {
  isNothing,
  readAddress,
  readBlock,
  readReceipt,
  readReceipts,
  readTransaction,
  readUnits,
} from "./answer.ts";

/** A transfer of 5 sun in block 62258698 of the main network. */
const transfer = {
  ret: [{ contractRet: "SUCCESS" }],
  signature: [
    "c1c0b1ad18f56248ebc6820c611cd65683cef6b5deed8002246cc00df7e79f9f73d48c35b8c2e41694ef23c8020ab8c578c0aa57b7e079683f322e45c88b0e0700",
  ],
  txID: "47086db397eac45d2fe7dacedcb6f77267d6895dce645210e495e64f8a2a7910",
  raw_data: {
    contract: [
      {
        parameter: {
          value: {
            amount: 5,
            owner_address: "419b3281a60ab7a44f351ef2896c653f134972ad22",
            to_address: "4105cc125604448afeb6867eb688efb7e80411d57a",
          },
          type_url: "type.googleapis.com/protocol.TransferContract",
        },
        type: "TransferContract",
      },
    ],
    ref_block_bytes: "fdf6",
    ref_block_hash: "4cd898aed8ce5d14",
    expiration: 1717419846000,
    timestamp: 1717419788444,
  },
  raw_data_hex:
    "0a02fdf622084cd898aed8ce5d1440f0d2ccf1fd315a65080112610a2d747970652e676f6f676c65617069732e636f6d2f70726f746f636f6c2e5472616e73666572436f6e747261637412300a15419b3281a60ab7a44f351ef2896c653f134972ad2212154105cc125604448afeb6867eb688efb7e80411d57a1805709c91c9f1fd31",
};

/** A reverted call in block 2000000 of a test network, shortened. */
const reverted = {
  id: "732cd4b32f4fad29387097c5622a45dc07e15962e66fa5a4623e717080c32048",
  result: "FAILED",
  fee: 46930,
  blockNumber: 2000000,
  blockTimeStamp: 1581598734000,
  contract_address: "41104969687d27a15e54101158ee0a2f446994f048",
  receipt: { result: "REVERT", net_fee: 2790, energy_fee: 44140, energy_usage_total: 4414 },
  internal_transactions: [
    {
      caller_address: "41104969687d27a15e54101158ee0a2f446994f048",
      note: "63616c6c",
      rejected: true,
      transferTo_address: "41b0d801f4df5df9ab8801a4d523f7fda9889b9d4a",
      callValueInfo: [{}],
      hash: "2cb4a6407f62eae8e736aad18f7efd04d44557384dfbc5b1bcb0050bce659e03",
    },
  ],
};

const hex = (text: string): string => Buffer.from(text).toString("hex");
const contract = "41104969687d27a15e54101158ee0a2f446994f048";
const payee = "41b0d801f4df5df9ab8801a4d523f7fda9889b9d4a";
const internal = (note: string, callValueInfo: readonly object[], more: object = {}) => ({
  caller_address: contract,
  transferTo_address: payee,
  note: hex(note),
  callValueInfo,
  ...more,
});

describe("java-tron's answers", () => {
  it("contain transactions whose id is the hash of their raw data", () => {
    expect(readTransaction(transfer)).toEqual({
      txid: transfer.txID,
      type: "TransferContract",
      owner: "TQ7pF3NTDL2Tjz5rdJ6ECjQWjaWHpLZJMH",
      result: "SUCCESS",
      to: "TAVrrARNdnjHgCGMQYeQV7hv4PSu7mVsMj",
      units: 5n,
      data: "",
    });
    const forged = { ...transfer, raw_data_hex: `${transfer.raw_data_hex}00` };
    expect(() => readTransaction(forged)).toThrow(Malformed);
  });

  it("contain failed transactions with their fee", () => {
    expect(readReceipt(reverted)).toMatchObject({
      txid: reverted.id,
      height: 2000000,
      feeUnits: 46930n,
      hasFailed: true,
      logs: [],
      internal: [null],
    });
  });

  it("leave out members with default values", () => {
    expect(readReceipt({ id: reverted.id })).toEqual({
      txid: reverted.id,
      height: 0,
      feeUnits: 0n,
      hasFailed: false,
      logs: [],
      internal: [],
    });
    expect(isNothing({})).toBe(true);
    expect(readReceipts({})).toEqual([]);
    expect(readReceipts([])).toEqual([]);
  });

  it("list coin moved by contracts, at positions that do not depend on a node's other entries", () => {
    const moves = [
      internal("call", [{ callValue: 7 }]),
      internal("freezeBalanceV2ForEnergy", [{ callValue: 100 }]),
      internal("call", [{}, { tokenId: "1000004", callValue: 9 }]),
      internal("call", [{ callValue: 8 }], { rejected: true }),
      internal("suicide", [{ callValue: 11 }, { tokenId: "1000004", callValue: 9 }]),
      internal("call", [{ callValue: 12 }], { transferTo_address: contract }),
    ];
    const move = {
      from: "TBTKksBxExw5sCDBAgMqQHrfz2ngGbjgrR",
      to: "TS6GhJ5bH63WDunMKsob3B2tC9JXcXzrbJ",
    };
    expect(readReceipt({ id: reverted.id, internal_transactions: moves }).internal).toEqual([
      { ...move, units: 7n },
      null,
      null,
      { ...move, units: 11n },
      null,
    ]);
  });

  it("name addresses with and without the version byte", () => {
    const digits = contract.slice(2);
    expect(readAddress(digits.toUpperCase())).toBe(readAddress(contract));
    for (const other of [`42${digits}`, digits.slice(2), `0x${digits}`, undefined])
      expect(() => readAddress(other)).toThrow(Malformed);
  });

  it("contain amounts beyond 2^53 as text, and never negative ones", () => {
    expect(readUnits("9007199254740993")).toBe(9007199254740993n);
    for (const amount of [-1, 1.5, "1e3", 2 ** 53, null])
      expect(() => readUnits(amount)).toThrow(Malformed);
  });

  it("are rejected if a block lacks its transactions or repeats one", () => {
    const raw_data = {
      number: 62306449,
      txTrieRoot: "7cb6ddff8ada79c91baf6667cc8ead757b39205a8dc8ae097298dbb0587bddb7",
      witness_address: "4114f2c09d3de3fe82a71960da65d4935a30b24e1f",
      parentHash: "0000000003b6b890d8e1d886520dcad1820f4313a435ad593a80c549ea883054",
      version: 30,
      timestamp: 1717563117000,
    };
    const blockID = "0000000003b6b891043be54ac0ae1ef579fad5e6e1732cb0ac4237a873b8453e";
    const block = { blockID, block_header: { raw_data } };
    expect(() => readBlock(block)).toThrow(/without its transactions/);
    expect(() => readBlock({ ...block, transactions: [transfer, transfer] })).toThrow(/twice/);
    expect(readBlock({ ...block, transactions: [transfer] })?.transactions).toHaveLength(1);
  });
});
