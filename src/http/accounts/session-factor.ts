import { confirmPerson, type Proof } from "../../accounts/people/confirm-person.ts";
import type { PeopleContext } from "../../accounts/people/context.ts";
import { finishSignIn } from "../../accounts/people/finish-sign-in.ts";
import { beginPasskeyUse, signInByPasskey } from "../../accounts/people/use-passkey.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import { defineDocument, type InputOf } from "../../platform/resources/define-document.ts";
import { defineResource } from "../../platform/resources/define-resource.ts";
import { described, text, timestamp } from "../../platform/resources/json-schema.ts";
import { actionRoute, publicRoute, type Route } from "../server/route.ts";
import { requireSameOrigin } from "../server/same-origin.ts";
import { sessionAnswer, sessionTokenResource, whereabouts } from "./session.ts";

export const passkeyCeremonyResource = defineResource({
  type: "passkey-ceremony",
  description: "What a browser hands to WebAuthn, and the challenge that its answer belongs to.",
  attributes: {
    challenge: described(text, "Good once and for five minutes; sent back with the answer."),
    options: described({ type: "object" }, "PublicKeyCredential options as JSON."),
  },
  relationships: {},
  filters: {},
  sortable: [],
  defaultSort: "id",
});

const confirmationResource = defineResource({
  type: "session-confirmation",
  description: "Until when nothing has to be proved again for what asks for it.",
  attributes: { confirmed_until: timestamp },
  relationships: {},
  filters: {},
  sortable: [],
  defaultSort: "id",
});

const codeDocument = defineDocument({
  type: "session-token",
  fields: {
    challenge: { kind: "String", required: true, maxLength: 100 },
    code: {
      kind: "String",
      required: true,
      maxLength: 64,
      description: "Six digits of the app, or a recovery code.",
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
    response: { kind: "Field", description: "Of a passkey, with its challenge." },
  },
});

/** What follows a password, stands in for it, or is asked for again. */
export function sessionFactorRoutes(context: PeopleContext): readonly Route[] {
  const baseUrl = context.tokenSettings.issuer;
  return [
    // Not of the log-ins' small budget: codes are counted per member, passkeys cannot be guessed, and offices share an address.
    publicRoute({
      path: "/session/second-factor/",
      summary: "Give the second factor",
      description:
        "The challenge is the one that /session/ answered in meta. After ten wrong codes of a member none is taken for a quarter of an hour.",
      throttle: "create",
      resource: sessionTokenResource,
      document: codeDocument,
      answer: async (request, input) => {
        requireSameOrigin(request, baseUrl);
        return sessionAnswer(
          context,
          await finishSignIn(context, input, whereabouts(context, request)),
        );
      },
    }),
    publicRoute({
      path: "/session/passkey-options/",
      summary: "Begin to sign in with a passkey",
      throttle: "create",
      resource: passkeyCeremonyResource,
      answer: async (request) => {
        requireSameOrigin(request, baseUrl);
        return { data: renderCeremony(await beginPasskeyUse(context)) };
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
          await signInByPasskey(context, input, whereabouts(context, request)),
        );
      },
    }),
    actionRoute({
      path: "/session/confirm/",
      summary: "Prove again who you are",
      description:
        "By password, by code, or by a passkey's response with its challenge. Passwords, factors and secrets are shown and changed only within five minutes of it or of signing in.",
      throttle: "token",
      resource: confirmationResource,
      document: confirmationDocument,
      act: async (request, input) => {
        const until = await confirmPerson(
          context,
          request.principal,
          proofOf(input),
          whereabouts(context, request),
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

/** The resource that a browser begins a passkey ceremony with. There is only ever one, so its id says nothing. */
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
  return reject("invalidValue", "Give password, code, or challenge and response.", {
    pointer: "/data/attributes/password",
  });
}
