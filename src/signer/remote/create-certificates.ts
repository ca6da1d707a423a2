import "reflect-metadata";
import type { webcrypto } from "node:crypto";
import { isIP } from "node:net";
import {
  BasicConstraintsExtension,
  cryptoProvider,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509Certificate,
  X509CertificateGenerator,
} from "@peculiar/x509";
import { addSeconds, type Instant } from "../../platform/kernel/clock.ts";
import { toDate } from "../../platform/kernel/timestamp.ts";

/** A certificate and its private key (PKCS #8), as PEM. */
export type IssuedCertificate = {
  readonly certificate: string;
  readonly key: string;
  /** SHA-256, `AB:CD:...`. */
  readonly fingerprint: string;
};

/** The private authority of a signer: it signs the certificates of the signer and of its clients. */
export type Authority = { readonly certificate: string; readonly key: string };

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;
const daysOfAuthority = 3650;
const secondsPerDay = 86_400;
/** Clocks of other machines may be behind. */
const leewaySeconds = 3_600;

cryptoProvider.set(crypto);

/** Creates an authority: ECDSA P-256, valid for ten years. */
export async function createAuthority(now: Instant): Promise<IssuedCertificate> {
  const keys = await createKeys();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: "CN=Sluice signer authority",
    ...validity(now, daysOfAuthority),
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
    ],
  });
  return describe(certificate, keys.privateKey);
}

/** Issues the signer's own certificate, for the DNS names or IP addresses under which its clients reach it. */
export function issueForSigner(
  authority: Authority,
  hosts: readonly string[],
  days: number,
  now: Instant,
): Promise<IssuedCertificate> {
  const names = hosts.map((value) => ({
    type: isIP(value) === 0 ? ("dns" as const) : ("ip" as const),
    value,
  }));
  return issue(authority, "Sluice signer", days, now, [
    new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
    new SubjectAlternativeNameExtension(names),
  ]);
}

/** Issues a client's certificate; `name` is its common name. */
export function issueForClient(
  authority: Authority,
  name: string,
  days: number,
  now: Instant,
): Promise<IssuedCertificate> {
  return issue(authority, name, days, now, [
    new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth]),
  ]);
}

async function issue(
  authority: Authority,
  name: string,
  days: number,
  now: Instant,
  extensions: readonly Extension[],
): Promise<IssuedCertificate> {
  const issuer = new X509Certificate(authority.certificate);
  const [signingKeyBytes] = PemConverter.decode(authority.key);
  if (signingKeyBytes === undefined) throw new Error("the authority's key is not PEM");
  const signingKey = await crypto.subtle.importKey("pkcs8", signingKeyBytes, algorithm, false, [
    "sign",
  ]);
  const keys = await createKeys();
  const certificate = await X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject: [{ CN: [name] }],
    issuer: issuer.subjectName,
    ...validity(now, days),
    publicKey: keys.publicKey,
    signingKey,
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      ...extensions,
    ],
  });
  return describe(certificate, keys.privateKey);
}

function createKeys(): Promise<webcrypto.CryptoKeyPair> {
  return crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
}

function validity(now: Instant, days: number) {
  return {
    notBefore: toDate(addSeconds(now, -leewaySeconds)),
    notAfter: toDate(addSeconds(now, days * secondsPerDay)),
  };
}

/** 126 random bits, as RFC 5280 section 4.1.2.2 wants them: positive, of at most 20 bytes. */
function serialNumber(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return Buffer.from(bytes).toString("hex");
}

async function describe(
  certificate: X509Certificate,
  privateKey: webcrypto.CryptoKey,
): Promise<IssuedCertificate> {
  const key = await crypto.subtle.exportKey("pkcs8", privateKey);
  const digest = Buffer.from(await certificate.getThumbprint("SHA-256")).toString("hex");
  return {
    certificate: `${certificate.toString("pem")}\n`,
    key: `${PemConverter.encode(key, "PRIVATE KEY")}\n`,
    fingerprint: (digest.toUpperCase().match(/../g) ?? []).join(":"),
  };
}
