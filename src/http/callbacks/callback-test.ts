import { assertMaySend } from "../../callbacks/deliver/assert-may-send.ts";
import {
  sendTestDelivery,
  type TestDeliveryContext,
} from "../../callbacks/deliver/send-test-delivery.ts";
import { readCallback } from "../../callbacks/read-callbacks.ts";
import { present } from "../../platform/kernel/assert.ts";
import { isObjectId } from "../../platform/kernel/object-id.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { defineDocument } from "../../platform/resources/define-document.ts";
import { actionRoute, type Route } from "../server/route.ts";
import { callbackResource, renderCallback } from "./callback-definition.ts";

const testDocument = defineDocument({
  type: "callback-test",
  fields: {
    url: { kind: "URL", required: true, maxLength: 256 },
    wallet: {
      kind: "Relationship",
      resource: "wallet",
      description: "Whose members see the delivery; asked of who sees only granted wallets.",
    },
  },
});

/** `POST /callback/test/`: tries a receiver. */
export function callbackTestRoutes(context: TestDeliveryContext): readonly Route[] {
  return [
    actionRoute({
      path: "/callback/test/",
      summary: "Send a test delivery",
      description:
        "Sends a signed delivery whose data.type is `test` to a callback URL, as every callback is sent. It names no deposit and no payout, and is in no feed: a receiver answers 200 and credits nothing. The answer is the callback, with whose id its attempts are read.",
      resource: callbackResource,
      document: testDocument,
      assertAllowed: assertMaySend,
      act: async ({ principal }, { url, wallet }) => {
        if (wallet !== null && !isObjectId(wallet))
          reject("invalidValue", "Name a wallet that you may see.", {
            pointer: "/data/relationships/wallet",
          });
        const id = await sendTestDelivery(context, principal, { url, walletId: wallet });
        const made = present(
          await readCallback(context.db, principal, id),
          "the callback just written",
        );
        return renderCallback(made.callback, made.log);
      },
    }),
  ];
}
