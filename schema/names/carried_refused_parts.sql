-- The parts of config/names/refused.txt, as config/names/make-names.swift writes them.
--
-- Called by: refresh_refused_names.
CREATE OR REPLACE FUNCTION carried_refused_parts() RETURNS text[]
LANGUAGE sql IMMUTABLE AS $$ SELECT '{
=admin,=admins,=mod,=moderation,=mods,=offiziell,=official,=staff,=support,=system,administrat,helpdesk,kundendienst,
moderator,sysadmin,webmaster,=chink,=chinks,=gook,=gooks,=kanake,=kanaken,=kkk,=nazi,=nazis,=neger,=negerin,=negern,
=nigga,=niggas,=niggaz,=nigger,=niggers,"=sieg heil",=spic,=spics,=zigeuner,"=zyklon b",goebbels,himmler,hitler,
judensau,neonazi,raghead,saujud,siegheil,untermensch,wetback,zyklonb,=fag,=fags,=krüppel,=retard,=retards,=spast,
=spasti,=tranny,faggot,missgeburt,schwuchtel,shemale,=anal,=anus,=arse,=cunt,=cunts,=milf,=milfs,=molester,=paedo,
=pedo,=pedos,=penis,=pussies,=pussy,=rapist,=rapists,=shit,=shits,=shitty,=slut,=sluts,=twat,=twats,=vagina,arsehole,
asshole,bitch,blowjob,bukkake,bullshit,cocksuck,dickhead,dildo,dipshit,fuck,gangbang,incest,paedophil,pedophil,
pornhub,pornstar,shithead,whore,=arsch,=ficker,=fickt,=hure,=huren,=nutte,=nutten,=schlampe,=schlampen,=vergasen,
=vergast,=wichser,arschgeige,arschloch,arschlöcher,drecksau,ficken,fotze,gefickt,hackfresse,hurensohn,kinderficker,
pädophil,scheiss,titten,verfickt,votze,wixxer
}'::text[] $$;
