/** The host name that the web-risk service reports as dangerous in the cases of complete emails. */

/** A host that the web-risk service of these tests reports as dangerous. */
export const FLAGGED = 'flagged.example';
