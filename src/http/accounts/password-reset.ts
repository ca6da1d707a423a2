import { requestPasswordReset, resetPassword } from "../../accounts/people/reset-password.ts";
import type { MailingContext } from "../../accounts/people/verify-email.ts";
import { defineDocument } from "../../platform/resources/define-document.ts";
import { defineResource } from "../../platform/resources/define-resource.ts";
import { described, text } from "../../platform/resources/json-schema.ts";
import { publicRoute, type Route } from "../server/route.ts";

const resetResource = defineResource({
  type: "password-reset",
  description: "A request to reset a forgotten password.",
  attributes: { login: described(text, "As it was sent, whether or not anybody has it.") },
});

const resetDocument = defineDocument({
  type: "password-reset",
  fields: {
    login: {
      kind: "String",
      required: true,
      maxLength: 254,
      description: "The login, or the verified email address.",
    },
  },
});

const completionResource = defineResource({
  type: "password-reset-completion",
  description: "A new password, set with the link that was sent.",
  attributes: { login: described(text, "The login that the new password belongs to.") },
});

const completionDocument = defineDocument({
  type: "password-reset-completion",
  fields: {
    token: { kind: "String", required: true, maxLength: 64 },
    password: { kind: "String", required: true, maxLength: 200 },
  },
});

/** `/password-reset/`: people who forgot their password. */
export function passwordResetRoutes(context: MailingContext): readonly Route[] {
  return [
    publicRoute({
      path: "/password-reset/",
      summary: "Request a password reset",
      description:
        "Sends a link to the verified address of the person with this login or address, if there is one. The answer is the same if there is none.",
      throttle: "token",
      resource: resetResource,
      document: resetDocument,
      answer: async (_request, { login }) => {
        await requestPasswordReset(context, login);
        return { data: { type: "password-reset", id: "1", attributes: { login } } };
      },
    }),
    publicRoute({
      path: "/password-reset-completion/",
      summary: "Set a new password with a reset link",
      description:
        "The token works once, for an hour. Ends all sessions of the person; second factors stay, and signing in still needs them.",
      throttle: "token",
      provesSecret: true,
      resource: completionResource,
      document: completionDocument,
      answer: async ({ ip }, input) => ({
        data: {
          type: "password-reset-completion",
          id: "1",
          attributes: await resetPassword(context, input, ip),
        },
      }),
    }),
  ];
}
