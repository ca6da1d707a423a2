import type { JsonObject } from "../../platform/kernel/json.ts";
import { accountMethods } from "./account-methods.ts";
import { ledgerMethods } from "./ledger-methods.ts";
import type { Methods, Node } from "./node.ts";
import { RpcError } from "./rpc-error.ts";
import { serverMethods } from "./server-methods.ts";
import { submit } from "./submit-method.ts";

const methods: Methods = { ...ledgerMethods, ...accountMethods, ...serverMethods, submit };

/** The result of a method, or the members of its error; `request` is what the answer repeats. */
export async function answerRequest(
  node: Node,
  method: string,
  params: JsonObject,
): Promise<JsonObject> {
  try {
    const { api_version: version = 1 } = params;
    if (version !== 1 && version !== 2) throw new RpcError("invalid_API_version");
    const known = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (known === undefined) throw new RpcError("unknownCmd");
    return { ...(await known({ node, params, version })), status: "success" };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return { ...error.members(), status: "error" };
  }
}
