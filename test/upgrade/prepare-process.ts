import { prepareSite, type SiteToPrepare } from "../chaos/prepare-site.ts";

/* Prepares the site in its argument with the release that this file belongs to, and prints it: as the first line that is JSON. */

const [site = ""] = process.argv.slice(2);
console.log(JSON.stringify(await prepareSite(JSON.parse(site) as SiteToPrepare)));
