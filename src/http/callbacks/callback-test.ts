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
      description:
        "Members with access to this wallet see the delivery. Required for members who see only granted wallets.",
    },
  },
});

/** `POST /callback/test/`: sends a test delivery to a receiver. */
export function callbackTestRoutes(context: TestDeliveryContext): readonly Route[] {
  return [
    actionRoute({
      path: "/callback/test/",
      summary: "Send a test delivery",
      description:
        "Sends a signed delivery with data.type `test` to a callback URL, in the same way as every callback. It refers to no deposit or payout and is not in the event feed; a receiver should answer 200 and credit nothing. Returns the callback; read its attempts by its id.",
      resource: callbackResource,
      document: testDocument,
      assertAllowed: assertMaySend,
      act: async ({ principal }, { url, wallet }) => {
        if (wallet !== null && !isObjectId(wallet))
          reject("invalidValue", "Select a wallet that you have access to.", {
            pointer: "/data/relationships/wallet",
          });
        const id = await sendTestDelivery(context, principal, { url, walletId: wallet });
        const created = present(
          await readCallback(context.db, principal, id),
          "the callback just written",
        );
        return renderCallback(created.callback, created.log);
      },
    }),
  ];
}
