/**
 * The first of `available`, in our order of preference, that an `Accept-Encoding` header accepts (RFC 9110, 12.5.3); null sends
 * the body uncompressed, as does a missing header, because such a client may not understand any encoding.
 */
export function acceptedEncoding<Encoding extends string>(
  header: string | null,
  available: readonly Encoding[],
): Encoding | null {
  if (header === null) return null;
  const refused = new Map(
    header.split(",").map((part) => {
      const [name = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
      return [name, parameters.some((parameter) => /^q=0(?:\.0{0,3})?$/.test(parameter))] as const;
    }),
  );
  const isRefused = (encoding: string): boolean =>
    refused.get(encoding) ?? refused.get("*") ?? true;
  return available.find((encoding) => !isRefused(encoding)) ?? null;
}
