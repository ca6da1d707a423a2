const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\/(\d+)/, "Edge"],
  [/\bOPR\/(\d+)/, "Opera"],
  [/\bFirefox\/(\d+)/, "Firefox"],
  [/\bHeadlessChrome\/(\d+)/, "Chrome"],
  [/\bChrome\/(\d+)/, "Chrome"],
  [/\bVersion\/(\d+)[\d.]* .*\bSafari\//, "Safari"],
];

const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone|iPad\b/, "iOS"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

const unknownMax = 60;

/** A readable `User-Agent`, such as `Firefox 140 on Linux`; of an unknown program its first 60 characters. */
export function shortUserAgent(userAgent: string): string {
  const found = browsers.flatMap(([pattern, name]) => {
    const version = pattern.exec(userAgent)?.[1];
    return version === undefined ? [] : [`${name} ${version}`];
  })[0];
  if (found === undefined) return userAgent.replaceAll(/[^\x20-\x7E]/g, "").slice(0, unknownMax);
  const system = systems.find(([pattern]) => pattern.test(userAgent))?.[1];
  return system === undefined ? found : `${found} on ${system}`;
}
