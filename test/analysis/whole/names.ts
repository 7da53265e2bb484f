/** The web-risk service of these tests knows nothing good of this host. */
export const FLAGGED = 'flagged.example';
