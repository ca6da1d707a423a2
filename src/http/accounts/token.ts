import {
  type AccessGrant,
  grantClientAccess,
  logIn,
  type ReplySignature,
  type SessionTokens,
} from "../../accounts/tokens/log-in.ts";
import { refreshSession } from "../../accounts/tokens/refresh-session.ts";
import type { SessionContext } from "../../accounts/tokens/session-context.ts";
import { present } from "../../platform/kernel/assert.ts";
import { Rejected, rejection } from "../../platform/kernel/rejection.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import { defineDocument, type InputOf } from "../../platform/resources/define-document.ts";
import { defineResource, type ResourceOf } from "../../platform/resources/define-resource.ts";
import {
  boolean,
  described,
  integer,
  oneOf,
  text,
  timestamp,
} from "../../platform/resources/json-schema.ts";
import { publicRoute, type Route } from "../server/route.ts";

const authTokenResource = defineResource({
  type: "auth-token",
  description:
    "The tokens of a session. Login and refresh return both tokens with their expiry. With client_id and client_secret, the response contains access, expires_in and token_type.",
  attributes: {
    access: described(text, "Access token, for the header Authorization: Bearer."),
    refresh: described(text, "Refresh token, valid for one use."),
    access_expired_at: timestamp,
    refresh_expired_at: timestamp,
    is_2fa_confirmed: described(boolean, "Always false: programs have no second factor."),
    expires_in: described(integer, "Seconds until the access token expires."),
    token_type: oneOf([{ value: "Bearer", name: "RFC 6750" }]),
  },
  sometimes: [
    "refresh",
    "access_expired_at",
    "refresh_expired_at",
    "is_2fa_confirmed",
    "expires_in",
    "token_type",
  ],
});

/** One pair or the other; `credentialsOf` checks that one of them is complete. */
const logInDocument = defineDocument({
  type: "auth-token",
  fields: {
    login: { kind: "String", description: "The credential's login." },
    password: { kind: "String", description: "The credential's password." },
    client_id: { kind: "String", description: "Another spelling of login." },
    client_secret: { kind: "String", description: "Another spelling of password." },
  },
});

const refreshDocument = defineDocument({
  type: "auth-token",
  fields: { refresh: { kind: "String", required: true } },
  mayBeBare: true,
});

type AuthToken = ResourceOf<typeof authTokenResource>;

/** `POST /token/` and `POST /token/refresh/`. */
export function tokenRoutes(context: SessionContext): readonly Route[] {
  return [
    publicRoute({
      path: "/token/",
      summary: "Log in",
      description:
        "Send login and password, or client_id and client_secret. meta.sign is the hex HMAC-SHA256 of meta.time and the refresh token; the key is the raw SHA-256 of login and password.",
      throttle: "token",
      provesSecret: true,
      resource: authTokenResource,
      document: logInDocument,
      answer: async ({ ip }, input) => {
        const credentials = credentialsOf(input);
        if (credentials.spelling === "client") {
          const grant = await grantClientAccess(context, credentials, ip);
          return { data: renderGrant(grant, context.tokenSettings.accessSeconds) };
        }
        const { tokens, signature } = await logIn(context, credentials, ip);
        return { data: renderTokens(tokens), meta: renderSignature(signature) };
      },
    }),
    publicRoute({
      path: "/token/refresh/",
      summary: "Refresh a session",
      description:
        'A refresh token is valid for one use. Using it again ends the whole session. The body may also be just `{"refresh": "..."}`.',
      // 256 bits cannot be guessed, and many clients behind one address refresh at the same time after a restart.
      throttle: "create",
      resource: authTokenResource,
      document: refreshDocument,
      answer: async ({ ip }, { refresh }) => ({
        data: renderTokens(await refreshSession(context, refresh, ip)),
      }),
    }),
  ];
}

type Credentials = {
  readonly spelling: "login" | "client";
  readonly login: string;
  readonly password: string;
};

function credentialsOf(input: InputOf<typeof logInDocument>): Credentials {
  const asLogin = input.login !== null || input.password !== null;
  const isClient = !asLogin && (input.client_id !== null || input.client_secret !== null);
  return isClient
    ? { spelling: "client", ...both(input, "client_id", "client_secret") }
    : { spelling: "login", ...both(input, "login", "password") };
}

function both<Name extends string>(
  input: Readonly<Record<Name, string | null>>,
  loginName: Name,
  passwordName: Name,
): { login: string; password: string } {
  const [login, password] = [input[loginName], input[passwordName]];
  if (login !== null && password !== null) return { login, password };
  const faults = [loginName, passwordName]
    .filter((name) => input[name] === null)
    .map((name) =>
      rejection("invalidValue", `The member ${name} is required.`, {
        pointer: `/data/attributes/${name}`,
      }),
    );
  const [first, ...others] = faults;
  throw new Rejected(present(first, "a missing member"), ...others);
}

function renderTokens(tokens: SessionTokens): AuthToken {
  return {
    type: "auth-token",
    id: "0",
    attributes: {
      access: tokens.access,
      refresh: tokens.refresh,
      access_expired_at: formatTimestamp(tokens.accessExpiresAt),
      refresh_expired_at: formatTimestamp(tokens.refreshExpiresAt),
      is_2fa_confirmed: false,
    },
  };
}

function renderGrant(grant: AccessGrant, accessSeconds: number): AuthToken {
  return {
    type: "auth-token",
    id: "0",
    attributes: { access: grant.access, expires_in: accessSeconds, token_type: "Bearer" },
  };
}

function renderSignature(signature: ReplySignature): { time: string; sign: string } {
  return { time: signature.time, sign: signature.sign };
}
