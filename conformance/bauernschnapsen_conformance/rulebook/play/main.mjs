// The elements of a page with which something can be played.

import { May } from "./may.mjs";
import { Example } from "./player.mjs";
import { Table } from "./table.mjs";

customElements.define("bs-example", Example);
customElements.define("bs-may", May);
customElements.define("bs-table", Table);
