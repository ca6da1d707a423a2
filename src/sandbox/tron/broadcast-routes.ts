import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { nodeReturn, type ReturnCode } from "./answers.ts";
import { type JsonRecord, printJson, printMessage, readHex } from "./json.ts";
import type { Ledger } from "./ledger.ts";
import { rawData } from "./messages.ts";
import { type Routes, textIn } from "./routes.ts";
import { decodeTransaction, Refusal, readTransaction, type Transaction } from "./transaction.ts";

/** Signed transactions: the node executes them on top of its pool, and answers whether it accepted them. */
export const broadcastRoutes: Routes = {
  broadcasttransaction: async ({ ledger, body, visible }) => {
    const transaction = readTransaction(body, visible);
    const answer = await broadcast(ledger, transaction);
    const printed: JsonRecord = printMessage(nodeReturn, answer, visible);
    return { ...printed, txid: transaction.txid };
  },
  broadcasthex: async (request) => {
    const transaction = decodeTransaction(readHex(textIn(request, "transaction")));
    const { result, code, message } = await broadcast(request.ledger, transaction);
    const printed: JsonRecord = {
      raw_data: printMessage(rawData, transaction.raw, true),
      signature: transaction.signatures,
    };
    return {
      result,
      code,
      message: Buffer.from(message, "hex").toString("utf8"),
      transaction: printJson(printed),
      txid: transaction.txid,
    };
  },
};

type Answer = { readonly result: boolean; readonly code: ReturnCode; readonly message: string };

async function broadcast(ledger: Ledger, transaction: Transaction): Promise<Answer> {
  try {
    await ledger.broadcast(transaction);
    return { result: true, code: "SUCCESS", message: "" };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code, message } = error;
    return { result: false, code, message: bytesToHex(utf8ToBytes(answerTo(code, message))) };
  }
}

/** The text of an answer: for some codes, the reason appears only in the node's log. */
function answerTo(code: Refusal["code"], reason: string): string {
  switch (code) {
    case "SIGERROR":
      return `Validate signature error: ${reason}`;
    case "CONTRACT_VALIDATE_ERROR":
      return `Contract validate error : ${reason}`;
    case "CONTRACT_EXE_ERROR":
      return `Contract execute error : ${reason}`;
    case "BANDWITH_ERROR":
      return "Account resource insufficient error.";
    case "OTHER_ERROR":
      return `Error: ${reason}`;
    case "DUP_TRANSACTION_ERROR":
    case "TAPOS_ERROR":
    case "TOO_BIG_TRANSACTION_ERROR":
    case "TRANSACTION_EXPIRATION_ERROR":
    case "SERVER_BUSY":
      return reason;
  }
}
