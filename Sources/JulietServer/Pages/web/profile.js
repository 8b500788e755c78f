// What is about the player, in dialogs: loaded with the first of them.

import { showData } from "./data.js";
import { showKeep } from "./keep.js";
import { showMerge } from "./merge.js";
import { showLeave, showLost } from "./players-part.js";
import { showPower } from "./power.js";
import { showSettings } from "./settings.js";
import { showWays } from "./ways.js";

/** What fills each dialog. */
export const show = {
    data: showData, keep: showKeep, leave: showLeave, lost: showLost, merge: showMerge, power: showPower, settings: showSettings,
    ways: showWays,
};
