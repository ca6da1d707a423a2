import { Address } from "@ton/core";
import type { JsonObject } from "../../../platform/kernel/json.ts";
import { isObject } from "../json.ts";
import type { Ledger } from "../ledger.ts";
import { ToncenterError, wrongRequest } from "../toncenter-error.ts";
import { accountMethods } from "./account-methods.ts";
import { blockMethods } from "./block-methods.ts";
import { address, type Methods, text } from "./parameters.ts";
import { printRaw } from "./print.ts";
import { runMethods } from "./run-method.ts";
import { sendMethods } from "./send-methods.ts";
import { transactionMethods } from "./transaction-methods.ts";

const utilities: Methods = {
  packAddress: ({ params }) => address(params).toString({ urlSafe: false }),
  unpackAddress: ({ params }) => printRaw(address(params).toRawString()),
  detectAddress: ({ params }) => {
    const given = text(params, "address");
    const parsed = address(params);
    const friendly = Address.isFriendly(given) ? Address.parseFriendly(given) : null;
    const forms = (bounceable: boolean): object => ({
      "@type": "ext.utils.detectedAddressVariant",
      b64: parsed.toString({ bounceable, urlSafe: false }),
      b64url: parsed.toString({ bounceable }),
    });
    return {
      "@type": "ext.utils.detectedAddress",
      raw_form: printRaw(parsed.toRawString()),
      bounceable: forms(true),
      non_bounceable: forms(false),
      given_type:
        friendly === null
          ? "raw_form"
          : `friendly_${friendly.isBounceable ? "bounceable" : "non_bounceable"}`,
      test_only: friendly?.isTestOnly ?? false,
    };
  },
};

const methods: Methods = {
  ...accountMethods,
  ...blockMethods,
  ...runMethods,
  ...sendMethods,
  ...transactionMethods,
  ...utilities,
};

export type Answer = { readonly status: number; readonly body: object };

/** The answer of toncenter's API v2 to a method by name. */
export async function answerMethod(
  ledger: Ledger,
  method: string,
  params: JsonObject,
): Promise<Answer> {
  const extra = `${ledger.newest().now}.0:0:${ledger.newest().id.seqno}`;
  try {
    const known = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (known === undefined) throw new ToncenterError(404, "Not Found");
    return {
      status: 200,
      body: { ok: true, result: await known({ ledger, params }), "@extra": extra },
    };
  } catch (error) {
    return failed(error, extra);
  }
}

/** The answer to a request at `/jsonRPC`. */
export async function answerJsonRpc(ledger: Ledger, request: unknown): Promise<Answer> {
  try {
    if (!isObject(request)) throw wrongRequest("params must contain an object");
    const { id, method, params = {} } = request;
    if (typeof method !== "string") throw wrongRequest("Field 'method' is missing");
    if (!isObject(params)) throw wrongRequest("params must contain an object");
    const { body, status } = await answerMethod(ledger, method, params);
    return { status, body: { ...body, jsonrpc: "2.0", ...(id === undefined ? {} : { id }) } };
  } catch (error) {
    return failed(error, "_");
  }
}

function failed(error: unknown, extra: string): Answer {
  if (!(error instanceof ToncenterError)) throw error;
  const { code, message } = error;
  return { status: code, body: { ok: false, error: message, code, "@extra": extra } };
}
