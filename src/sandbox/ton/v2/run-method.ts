import type { Cell, TupleItem } from "@ton/core";
import { isObject } from "../json.ts";
import { ToncenterError, wrongRequest } from "../toncenter-error.ts";
import { accountIn } from "./account-methods.ts";
import { address, bagOfCells, type Methods } from "./parameters.ts";
import { base64Of, printBlockId, printLastTransaction } from "./print.ts";

export const runMethods: Methods = {
  runGetMethod: async (call) => {
    const { ledger, params } = call;
    const { method, stack = [] } = params;
    if (typeof method !== "string" && typeof method !== "number")
      throw wrongRequest("failed to parse post request: Field 'method' is missing");
    if (!Array.isArray(stack))
      throw wrongRequest("failed to parse post request: Field 'stack' is of a wrong type");
    const { block, state } = accountIn(call);
    const items = stack.map(readEntry);
    const name = typeof method === "string" && /^-?\d+$/.test(method) ? Number(method) : method;
    const called = await ledger.call(address(params), block.id.seqno, name, items);
    return {
      "@type": "smc.runResult",
      gas_used: called.gasUsed,
      stack: called.stack.map(printEntry),
      exit_code: called.exitCode,
      block_id: printBlockId(block.id),
      last_transaction_id: printLastTransaction(state),
    };
  },
};

/** An entry as toncenter's first API takes it, such as `["num", "0x10"]` or `["tvm.Slice", "te6…"]`. */
function readEntry(entry: unknown): TupleItem {
  if (!Array.isArray(entry) || entry.length !== 2)
    throw wrongRequest("Expected 2 elements in stack entry");
  const [type, value] = entry as readonly unknown[];
  switch (type) {
    case "num":
    case "int":
    case "number":
    case "integer":
      return { type: "int", value: numberOf(value) };
    case "tvm.Cell":
    case "cell":
      return { type: "cell", cell: cellOf(value) };
    case "tvm.Slice":
    case "slice":
      return { type: "slice", cell: cellOf(value) };
    default:
      throw new ToncenterError(542, `Unsupported stack entry type: ${String(type)}`);
  }
}

function numberOf(value: unknown): bigint {
  if (typeof value === "number" && Number.isInteger(value)) return BigInt(value);
  const written = /^(-?)(0x[0-9a-fA-F]+|\d+)$/.exec(typeof value === "string" ? value : "");
  if (written === null) throw wrongRequest(`Invalid number: ${String(value)}`);
  const size = BigInt(written[2] as string);
  return written[1] === "-" ? -size : size;
}

function cellOf(value: unknown): Cell {
  const bytes = isObject(value) ? value["bytes"] : value;
  if (typeof bytes !== "string" || bytes === "")
    throw wrongRequest("Invalid tvm.Cell, base64 string expected");
  return bagOfCells(bytes, "stack");
}

function printEntry(item: TupleItem): readonly [string, unknown] {
  switch (item.type) {
    case "int":
      return ["num", hexOf(item.value)];
    case "nan":
      return ["num", "NaN"];
    case "null":
      return ["list", { "@type": "tvm.list", elements: [] }];
    case "cell":
    case "slice":
    case "builder":
      return ["cell", { bytes: base64Of(item.cell), object: printCell(item.cell) }];
    case "tuple":
      return ["tuple", { "@type": "tvm.tuple", elements: item.items.map(printElement) }];
  }
}

function printElement(item: TupleItem): object {
  switch (item.type) {
    case "int":
      return typed("Number", "number", {
        "@type": "tvm.numberDecimal",
        number: String(item.value),
      });
    case "nan":
      return { "@type": "tvm.stackEntryUnsupported" };
    case "null":
      return typed("List", "list", { "@type": "tvm.list", elements: [] });
    case "cell":
      return typed("Cell", "cell", { "@type": "tvm.cell", bytes: base64Of(item.cell) });
    case "slice":
    case "builder":
      return typed("Slice", "slice", { "@type": "tvm.slice", bytes: base64Of(item.cell) });
    case "tuple":
      return typed("Tuple", "tuple", {
        "@type": "tvm.tuple",
        elements: item.items.map(printElement),
      });
  }
}

function typed(type: string, name: string, value: object): object {
  return { "@type": `tvm.stackEntry${type}`, [name]: value };
}

function hexOf(value: bigint): string {
  return value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`;
}

function printCell(cell: Cell): object {
  const bits = cell.bits.length;
  const slice = cell.beginParse(true);
  const whole = Math.floor(bits / 8);
  const bytes = [...slice.loadBuffer(whole)];
  if (bits % 8 !== 0) bytes.push(slice.loadUint(bits % 8) << (8 - (bits % 8)));
  return {
    data: { b64: Buffer.from(bytes).toString("base64"), len: bits },
    refs: cell.refs.map(printCell),
    special: cell.isExotic,
  };
}
