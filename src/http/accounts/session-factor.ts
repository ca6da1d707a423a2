import { confirmPerson, type Proof } from "../../accounts/people/confirm-person.ts";
import type { PeopleContext } from "../../accounts/people/context.ts";
import { finishSignIn } from "../../accounts/people/sign-in.ts";
import {
  beginPasskeySignIn,
  signInWithPasskey,
} from "../../accounts/people/sign-in-with-passkey.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import { defineDocument, type InputOf } from "../../platform/resources/define-document.ts";
import { defineResource } from "../../platform/resources/define-resource.ts";
import { described, text, timestamp } from "../../platform/resources/json-schema.ts";
import { actionRoute, publicRoute, type Route } from "../server/route.ts";
import { requireSameOrigin } from "../server/same-origin.ts";
import { clientInfo, sessionAnswer, sessionTokenResource } from "./session.ts";

export const passkeyCeremonyResource = defineResource({
  type: "passkey-ceremony",
  description:
    "The options for the browser's WebAuthn call, and the challenge to send back with its response.",
  attributes: {
    challenge: described(text, "Valid once, for five minutes. Send it back with the response."),
    options: described({ type: "object" }, "PublicKeyCredential options as JSON."),
  },
});

const confirmationResource = defineResource({
  type: "session-confirmation",
  description: "Until when the identity counts as confirmed.",
  attributes: { confirmed_until: timestamp },
});

const codeDocument = defineDocument({
  type: "session-token",
  fields: {
    challenge: { kind: "String", required: true, maxLength: 100 },
    code: {
      kind: "String",
      required: true,
      maxLength: 64,
      description: "Six digits of the authenticator app, or a recovery code.",
    },
  },
});

const passkeyDocument = defineDocument({
  type: "session-token",
  fields: {
    challenge: { kind: "String", required: true, maxLength: 100 },
    response: {
      kind: "Field",
      required: true,
      description: "The browser's PublicKeyCredential as JSON.",
    },
  },
});

const confirmationDocument = defineDocument({
  type: "session-confirmation",
  fields: {
    password: { kind: "String" },
    code: { kind: "String", maxLength: 64 },
    challenge: { kind: "String", maxLength: 100 },
    response: { kind: "Field", description: "The passkey's response; send its challenge too." },
  },
});

/** Second factors, sign-in with a passkey, and confirming the identity again. */
export function sessionFactorRoutes(context: PeopleContext): readonly Route[] {
  const baseUrl = context.tokenSettings.issuer;
  return [
    // These routes do not use the small limit of logins: codes are limited per member, passkeys cannot be guessed, and offices
    // share an address.
    publicRoute({
      path: "/session/second-factor/",
      summary: "Sign in with the second factor",
      description:
        "The challenge comes from the meta of /session/. After ten wrong codes for a member, no code is accepted for 15 minutes.",
      throttle: "create",
      resource: sessionTokenResource,
      document: codeDocument,
      answer: async (request, input) => {
        requireSameOrigin(request, baseUrl);
        return sessionAnswer(
          context,
          await finishSignIn(context, input, clientInfo(context, request)),
        );
      },
    }),
    publicRoute({
      path: "/session/passkey-options/",
      summary: "Start a sign-in with a passkey",
      throttle: "create",
      resource: passkeyCeremonyResource,
      answer: async (request) => {
        requireSameOrigin(request, baseUrl);
        return { data: renderCeremony(await beginPasskeySignIn(context)) };
      },
    }),
    publicRoute({
      path: "/session/passkey/",
      summary: "Sign in with a passkey",
      throttle: "create",
      resource: sessionTokenResource,
      document: passkeyDocument,
      answer: async (request, input) => {
        requireSameOrigin(request, baseUrl);
        return sessionAnswer(
          context,
          await signInWithPasskey(context, input, clientInfo(context, request)),
        );
      },
    }),
    actionRoute({
      path: "/session/confirm/",
      summary: "Confirm your identity",
      description:
        "With the password, a code, or a passkey's response and its challenge. Passwords, second factors and secrets can be shown and changed only within five minutes after confirming or signing in.",
      throttle: "token",
      provesSecret: true,
      resource: confirmationResource,
      document: confirmationDocument,
      act: async (request, input) => {
        const until = await confirmPerson(
          context,
          request.principal,
          proofOf(input),
          clientInfo(context, request),
        );
        return {
          type: "session-confirmation",
          id: "0",
          attributes: { confirmed_until: formatTimestamp(until) },
        };
      },
    }),
  ];
}

/** The resource that starts a WebAuthn call. It is a singleton, so its id has no meaning. */
export function renderCeremony({
  challenge,
  options,
}: {
  readonly challenge: string;
  readonly options: object;
}) {
  return {
    type: "passkey-ceremony",
    id: "0",
    attributes: { challenge, options: options as JsonObject },
  } as const;
}

function proofOf({
  password,
  code,
  challenge,
  response,
}: InputOf<typeof confirmationDocument>): Proof {
  if (password !== null) return { kind: "password", password };
  if (code !== null) return { kind: "code", code };
  if (challenge !== null && response !== null) return { kind: "passkey", challenge, response };
  return reject("invalidValue", "Send a password, a code, or a challenge and its response.", {
    pointer: "/data/attributes/password",
  });
}
